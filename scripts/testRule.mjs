// `npm run test:rule -- ID`: runs the tests of one rule and of its recipe.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { environment, nodePath, root } from './prepare.mjs';
import { foldersIn } from './registryText.mjs';

const [id = ''] = process.argv.slice(2);
const home = 'server/src/core/rules';
if (!foldersIn(home).includes(id)) {
  console.error(`There is no folder ${join(home, id)}. Rules: ${foldersIn(home).join(', ')}.`);
  process.exit(2);
}
const { recipe } = (await import(join(root, home, id, 'rule.ts'))).rule;
const names = [id, ...(recipe === null ? [] : [recipe])].join('|');
const files = [
  'test/unit/analysis/rules.test.ts',
  'test/unit/analysis/projectRules.test.ts',
  'test/unit/propose/recipes.test.ts',
  'test/unit/propose/severalFiles.test.ts',
  'test/unit/propose/titles.test.ts',
];
spawn(nodePath(), [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files, '-t', `^(${names})( |:)`], {
  cwd: root,
  env: environment(),
  stdio: 'inherit',
}).on('exit', (code) => process.exit(code ?? 2));
