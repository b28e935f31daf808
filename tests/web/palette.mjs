// SPDX-License-Identifier: MIT
// palette.mjs - writes a picture as PNG of at most 256 colours, which is small.
import zlib from 'node:zlib';

const MOST = 256;

function chunk(name, data) {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(name, 4, 'latin1');
  data.copy(out, 8);
  out.writeUInt32BE(crc(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}

function crc(bytes) {
  let c = ~0;
  for (const b of bytes) {
    c ^= b;
    for (let i = 0; i < 8; i++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return ~c >>> 0;
}

// Returns the most frequent colours, but only one of several similar colours.
function choose(count) {
  const out = [];
  for (const [c] of [...count].sort((a, b) => b[1] - a[1] || a[0] - b[0])) {
    if (out.length === MOST) break;
    if (count.size <= MOST || out.every((o) => apart(o, c) > 60)) out.push(c);
  }
  return out;
}

function apart(a, b) {
  const d = (s) => ((a >> s) & 255) - ((b >> s) & 255);
  return d(0) ** 2 + d(8) ** 2 + d(16) ** 2;
}

// `pixels` are numbers 0xrrggbb.
export function png(width, height, pixels) {
  const count = new Map();
  for (const p of pixels) count.set(p, (count.get(p) ?? 0) + 1);
  const palette = choose(count);
  const index = new Map();
  for (const c of count.keys()) index.set(c, palette.reduce((best, p, i) => (apart(p, c) < apart(palette[best], c) ? i : best), 0));
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = index.get(pixels[y * width + x]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]));
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('PLTE', colours), chunk('IDAT', zlib.deflateSync(lines, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}
