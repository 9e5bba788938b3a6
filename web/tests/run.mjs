// Runs the tests in a browser against the real server: npm run test:browser -- PROGRAM [NAME-OF-TEST]
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const [program, name] = process.argv.slice(2);
if (!program || !existsSync(program)) {
  console.error('Say which program to test: npm run test:browser -- ../build/release/src/cli/tessera');
  process.exit(2);
}
const vitest = resolve(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', 'tests/vitest.config.ts', ...(name ? ['-t', name] : [])], {
  cwd: resolve(import.meta.dirname, '..'),
  env: { ...process.env, TESSERA_PROGRAM: resolve(program) },
  stdio: 'inherit',
});
process.exit(status ?? 1);
