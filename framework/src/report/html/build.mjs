// Bundles src/ and uPlot into one page: node build.mjs SOURCE NODE_MODULES OUTPUT
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [source, modules, output] = process.argv.slice(2);
const esbuild = createRequire(join(modules, '..', 'package.json'))('esbuild');

const bundle = async (entry) => {
  const built = await esbuild.build({
    entryPoints: [join(source, 'src', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['chrome100', 'firefox113', 'safari16.4'],
    charset: 'utf8',
    legalComments: 'inline',
    nodePaths: [modules],
    logLevel: 'error',
  });
  return built.outputFiles[0].text.trim();
};

const script = (await bundle('main.js')).replaceAll('</script', '<\\/script');
const style = await bundle('page.css');
// Only this script may run, and nothing may be fetched: whatever a case is called, it stays text.
const hash = createHash('sha256').update(script, 'utf8').digest('base64');
const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
const parts = { POLICY: policy, STYLE: style, SCRIPT: script };
const page = readFileSync(join(source, 'page.html'), 'utf8');
writeFileSync(output, page.replace(/@(POLICY|STYLE|SCRIPT)@/g, (_, name) => parts[name]));
