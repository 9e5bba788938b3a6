// Writes the built client as a C++ source: node embed.mjs DIST PAGES.cpp. Each file plain and, where it pays, gzipped.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const [dist, output] = process.argv.slice(2);
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

const lines = ['// Generated from the web client.', '#include "server/pages.hpp"', '', 'namespace tessera::server {', 'namespace {', ''];
const array = (name, bytes) => lines.push(`const unsigned char ${name}[] = {${[...bytes].join(',')},0};`);
const view = (name, bytes) => (bytes.length === 0 ? '{}' : `{reinterpret_cast<const char*>(${name}), ${bytes.length}}`);
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(dist.length))
  .sort();
const entries = files.map((path, index) => {
  const type = types[extname(path)];
  if (!type) throw new Error(`${path}: which content type has it?`);
  const plain = readFileSync(dist + path);
  const packed = gzipSync(plain, { level: 9 });
  const gzipped = packed.length < plain.length * 0.9 ? packed : Buffer.alloc(0);
  array(`plain_${index}`, plain);
  if (gzipped.length > 0) array(`gzipped_${index}`, gzipped);
  return `      {"${path}", "${type}", ${view(`plain_${index}`, plain)}, ${view(`gzipped_${index}`, gzipped)}},`;
});
lines.push('', '}  // namespace', '', 'std::span<const PageFile> page_files() {', '  static const PageFile files[] = {', ...entries, '  };', '  return files;', '}', '', '}  // namespace tessera::server', '');
writeFileSync(output, lines.join('\n'));
