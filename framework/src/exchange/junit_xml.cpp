#include "exchange/junit_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

#include "exchange/imported_file.hpp"
#include "exchange/values.hpp"
#include "opgate/error.hpp"
#include "text/clear_error.hpp"
#include "text/json_write.hpp"

namespace opgate::exchange {

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
constexpr int kDeepest = 64;

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::vector<TestCase> read() {
    check_text();
    // A document type is kept as a node, so that it can be refused; pugixml itself defines no entity of it.
    const auto result = document_.load_buffer(text_.data(), text_.size(), pugi::parse_default | pugi::parse_doctype,
                                              pugi::encoding_utf8);
    if (result.status == pugi::status_no_document_element) {
      throw error(0, "not valid XML: there is no element", "give a JUnit XML file");
    }
    if (!result) {
      throw error(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)),
                  fmt::format("not valid XML: {}", result.description()), "correct the XML at this place");
    }
    const pugi::xml_node root = root_element();
    if (std::string_view(root.name()) == "testsuite") {
      suite(root, 1);
    } else {
      suites(root, 1);
    }
    return std::move(cases_);
  }

 private:
  [[nodiscard]] Error error(std::size_t offset, const std::string& what, const std::string& remedy) const {
    return text::clear_error(ErrorKind::io, what, place_of(text_, offset, file_), remedy);
  }
  static std::size_t offset_of(const pugi::xml_node& node) {
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
  }

  void check_text() const {
    if (text_.size() > kMostBytes) {
      throw error(0, fmt::format("the XML has more than {} MiB", kMostBytes >> 20U), "split the file by suites");
    }
    if (const std::size_t zero = text_.find('\0'); zero != std::string_view::npos) {
      throw error(zero, "the XML contains a NUL byte", "export the file again");
    }
    if (!text::is_utf8(text_)) throw error(0, "the XML is not UTF-8", "save the file as UTF-8");
  }

  [[nodiscard]] pugi::xml_node root_element() const {
    pugi::xml_node root;
    for (const pugi::xml_node& node : document_.children()) {
      if (node.type() == pugi::node_doctype) {
        throw error(offset_of(node), "the XML declares a document type", "remove the <!DOCTYPE ...> declaration");
      }
      if (node.type() != pugi::node_element) continue;
      if (!root.empty())
        throw error(offset_of(node), "a second root element", "keep one <testsuites> around all suites");
      root = node;
    }
    const std::string_view name = root.name();
    if (name != "testsuites" && name != "testsuite") {
      throw error(offset_of(root), fmt::format("the root is <{:.40}>, this is no JUnit XML", name),
                  "give a file whose root is <testsuites> or <testsuite>");
    }
    return root;
  }

  void suites(const pugi::xml_node& parent, int depth) {
    if (depth > kDeepest) {
      throw error(offset_of(parent), fmt::format("suites nested more than {} levels deep", kDeepest),
                  "flatten the suites");
    }
    for (const pugi::xml_node& node : parent.children("testsuite")) suite(node, depth + 1);
  }

  void suite(const pugi::xml_node& node, int depth) {
    const std::string time = node.attribute("timestamp").value();
    const auto started = unix_ms_of(time);
    if (!time.empty() && !started) {
      throw error(offset_of(node), fmt::format("timestamp is '{:.40}'", time), "write it as 2026-01-31T12:00:00Z");
    }
    for (const pugi::xml_node& child : node.children("testcase")) {
      test_case(child);
      cases_.back().started_unix_ms = started;
      cases_.back().host = node.attribute("hostname").value();
    }
    suites(node, depth);
  }

  void test_case(const pugi::xml_node& node) {
    if (cases_.size() == kMostResults) {
      throw error(offset_of(node), fmt::format("more than {} test cases", kMostResults), "split the file by suites");
    }
    TestCase& test = cases_.emplace_back();
    test.offset = offset_of(node);
    test.class_name = node.attribute("classname").value();
    test.name = node.attribute("name").value();
    if (const std::string time = node.attribute("time").value(); !time.empty()) {
      test.seconds = scaled(time, 0);
      if (!test.seconds || !is_duration(*test.seconds * 1e9) || *test.seconds < 0) {
        throw error(test.offset, fmt::format("time is '{:.40}'", time), "write it as seconds");
      }
    }
    for (const pugi::xml_node& child : node.children()) {
      const std::string_view name = child.name();
      if (name == "failure" || name == "error") {
        end(test, TestOutcome::failed, child);
      } else if (name == "skipped" && test.outcome != TestOutcome::failed) {
        end(test, TestOutcome::skipped, child);
      } else if (name == "properties") {
        properties(test, child);
      }
    }
  }

  // What went wrong first is told first.
  static void end(TestCase& test, TestOutcome outcome, const pugi::xml_node& node) {
    test.outcome = outcome;
    const std::string message = node.attribute("message").value();
    const std::string text = node.text().get();
    for (const std::string& part : {message, text}) {
      if (!part.empty()) test.message += (test.message.empty() ? "" : "\n") + part;
    }
  }

  void properties(TestCase& test, const pugi::xml_node& node) const {
    for (const pugi::xml_node& child : node.children("property")) {
      const pugi::xml_attribute name = child.attribute("name");
      if (name.empty() || *name.value() == '\0') {
        throw error(offset_of(child), "a property without a name", "name the property");
      }
      const pugi::xml_attribute value = child.attribute("value");
      test.properties.push_back({name.value(), value.empty() ? child.text().get() : value.value(), offset_of(child)});
    }
  }

  std::string_view text_;
  const std::string& file_;
  pugi::xml_document document_;
  std::vector<TestCase> cases_;
};

}  // namespace

std::string place_of(std::string_view text, std::size_t offset, const std::string& file) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_break = before.rfind('\n');
  const std::size_t column = line_break == std::string_view::npos ? before.size() + 1 : before.size() - line_break;
  return fmt::format("{}:{}:{}", file, lines + 1, column);
}

std::vector<TestCase> read_test_cases(std::string_view text, const std::string& name_for_messages) {
  return Reader(text, name_for_messages).read();
}

}  // namespace opgate::exchange
