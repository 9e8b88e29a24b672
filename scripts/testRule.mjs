// `npm run test:rule -- ID`: runs the tests of the rule with this id and of its recipe.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createChildEnvironment, findNodePath, root } from './prepare.mjs';
import { listSubfolders } from './registryText.mjs';

const [id = ''] = process.argv.slice(2);
const rulesFolder = 'server/src/core/rules';
if (!listSubfolders(rulesFolder).includes(id)) {
  console.error(`There is no folder ${join(rulesFolder, id)}. Rules: ${listSubfolders(rulesFolder).join(', ')}.`);
  process.exit(2);
}
const { recipe } = (await import(join(root, rulesFolder, id, 'rule.ts'))).rule;
const names = [id, ...(recipe === null ? [] : [recipe])].join('|');
const files = [
  'test/unit/analysis/rules.test.ts',
  'test/unit/analysis/projectRules.test.ts',
  'test/unit/propose/recipes.test.ts',
  'test/unit/propose/severalFiles.test.ts',
  'test/unit/propose/titles.test.ts',
];
spawn(findNodePath(), [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files, '-t', `^(${names})( |:)`], {
  cwd: root,
  env: createChildEnvironment(),
  stdio: 'inherit',
}).on('exit', (code) => process.exit(code ?? 2));
