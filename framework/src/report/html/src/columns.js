// Reads what ColumnWriter (page_pack.hpp) writes.
const kHalves = 2;

export class ColumnReader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  // Beyond 32 bits the shifts of JavaScript no longer do.
  varint() {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
  }

  integers(count, scale = 1) {
    const values = new Array(count);
    let before = 0;
    for (let i = 0; i < count; i++) {
      const code = this.varint();
      if (code === 0) {
        values[i] = null;
        continue;
      }
      const zigzag = code - 1;
      before += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      values[i] = before / scale;
    }
    return values;
  }

  numbers(count) {
    if (this.bytes[this.at++] === kHalves) return this.integers(count, 2);
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, 8 * count);
    this.at += 8 * count;
    return Array.from({ length: count }, (_, i) => {
      const value = view.getFloat64(8 * i, true);
      return Number.isNaN(value) ? null : value;
    });
  }
}
