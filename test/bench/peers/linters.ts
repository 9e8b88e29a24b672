// Runs linters that count what Selfware counts: ESLint with rules for complexity and missing documentation, oxlint, and
// biome.

import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runChild, type ChildRun } from '../support/childRun.ts';

const modules = join(import.meta.dirname, '..', '..', '..', 'node_modules');

/** A linter. */
export interface Linter {
  readonly name: string;
  /** Runs it on a folder. Null if it is not installed for this platform. */
  run(dir: string, signal: AbortSignal): Promise<ChildRun | null>;
}

/** All linters. `scratch`: a folder for their configurations, outside of the folders that they check. */
export function createLinters(scratch: string): readonly Linter[] {
  const env = { PATH: process.env['PATH'], HOME: scratch, NO_COLOR: '1' };
  return [
    {
      name: 'ESLint: complexity, sonarjs/cognitive-complexity, jsdoc/require-jsdoc',
      async run(dir, signal) {
        const config = join(scratch, 'eslint.config.mjs');
        await writeFile(config, createEslintConfig());
        return runChild(
          process.execPath,
          [
            join(modules, 'eslint', 'bin', 'eslint.js'),
            '--no-config-lookup',
            '--config',
            config,
            '--no-warn-ignored',
            '--format',
            'json',
            dir,
          ],
          env,
          dir,
          signal,
          [0, 1],
        );
      },
    },
    {
      name: 'oxlint: complexity, max-depth',
      async run(dir, signal) {
        const config = join(scratch, 'oxlint.json');
        await writeFile(
          config,
          JSON.stringify({
            plugins: [],
            categories: { correctness: 'off' },
            rules: { complexity: ['warn', { max: 20 }], 'max-depth': ['warn', { max: 4 }] },
          }),
        );
        return runChild(
          process.execPath,
          [join(modules, 'oxlint', 'bin', 'oxlint'), '--config', config, '--format', 'json', dir],
          env,
          dir,
          signal,
          [0, 1],
        );
      },
    },
    {
      name: 'biome: noExcessiveCognitiveComplexity',
      async run(dir, signal) {
        const program = findBiomeBinary();
        if (!program) return null;
        const config = join(scratch, 'biome.json');
        await writeFile(
          config,
          JSON.stringify({
            root: true,
            files: { maxSize: 2 ** 21 },
            linter: {
              enabled: true,
              rules: { recommended: false, complexity: { noExcessiveCognitiveComplexity: 'warn' } },
            },
          }),
        );
        return runChild(
          program,
          ['lint', '--config-path', config, '--max-diagnostics', '20', dir],
          env,
          dir,
          signal,
          [0, 1],
        );
      },
    },
  ];
}

/** The path of the binary, because its wrapper script would be measured instead. Null if it is not installed. */
function findBiomeBinary(): string | null {
  const scope = join(modules, '@biomejs');
  const folder = existsSync(scope)
    ? readdirSync(scope).find((name) => name.startsWith(`cli-${process.platform}-${process.arch}`))
    : undefined;
  return folder ? join(scope, folder, process.platform === 'win32' ? 'biome.exe' : 'biome') : null;
}

function createEslintConfig(): string {
  const from = (name: string, file: string) => JSON.stringify(pathToFileURL(join(modules, name, file)).href);
  return `import { createRequire } from 'node:module';
const require = createRequire(${from('eslint', 'package.json')});
const { rule } = require('eslint-plugin-sonarjs/cjs/S3776/rule.js');
const jsdoc = (await import(require.resolve('eslint-plugin-jsdoc'))).default;
const parser = require('@typescript-eslint/parser');
export default [{
  files: ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'],
  languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: true } } },
  linterOptions: { noInlineConfig: true },
  plugins: { sonarjs: { rules: { 'cognitive-complexity': rule } }, jsdoc },
  rules: { complexity: ['warn', 20], 'sonarjs/cognitive-complexity': ['warn', 15], 'jsdoc/require-jsdoc': ['warn', { publicOnly: true, require: { ArrowFunctionExpression: true, ClassDeclaration: true, FunctionDeclaration: true, MethodDefinition: true } }] },
}];
`;
}
