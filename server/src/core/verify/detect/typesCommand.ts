// Which command checks the types of a repository.

import { fromSetting, packageScript, program, type DetectedCommand } from './command.ts';
import type { Project } from './project.ts';

/** Names that mean a type check wherever they are used. */
const SCRIPTS = ['typecheck', 'type-check', 'check-types', 'check:types', 'types:check', 'check:ts', 'ts:check', 'lint:types', 'test:types', 'tsc'];
/** Names that often mean something else: taken when all they do is to check types. */
const VAGUE_SCRIPTS = ['types', 'check', 'lint:ts'];

const RUNNER = String.raw`(?:(?:npx|pnpm exec|pnpm|yarn|bunx|bun x|npm exec --) )?`;
const TYPE_CHECK = new RegExp(`^${RUNNER}(?:tsc|vue-tsc|tsgo|svelte-check|astro check)(?: |$)`);

/** Setting, package script, then tsconfig.json with the repository's own compiler. Null: nothing checks types here. */
export function detectTypes(project: Project, setting: string): DetectedCommand | null {
  return fromSetting(setting) ?? script(project) ?? compiler(project);
}

function script(project: Project): DetectedCommand | null {
  const scripts = project.manifest?.scripts ?? {};
  const clear = SCRIPTS.find((name) => scripts[name] && !watches(scripts[name]));
  const vague = VAGUE_SCRIPTS.find((name) => scripts[name] && !watches(scripts[name]) && scripts[name].split('&&').every((part) => TYPE_CHECK.test(part.trim())));
  const name = clear ?? vague;
  return name === undefined ? null : packageScript(project, name);
}

function compiler({ files, tsconfig }: Project): DetectedCommand | null {
  if (tsconfig === null) return null;
  const tool = ['vue-tsc', 'tsc'].find((name) => files.has(`node_modules/.bin/${name}`));
  if (!tool) return null;
  // A solution names projects and holds no files. They may need each other's output, which goes to the sandbox like all else.
  if (isSolution(tsconfig)) return program('tsconfig.json', tool, '-b', '--pretty', 'false');
  return program('tsconfig.json', tool, '--noEmit', '-p', 'tsconfig.json', '--pretty', 'false');
}

/** The file may hold comments and trailing commas, so it is looked at, not parsed. */
function isSolution(tsconfig: string): boolean {
  const bare = tsconfig.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return /"references"\s*:\s*\[\s*\{/.test(bare) && /"files"\s*:\s*\[\s*\]/.test(bare) && !/"include"\s*:\s*\[\s*"/.test(bare);
}

function watches(script: string): boolean {
  return /(^|\s)(--watch|-w)(\s|$)/.test(script);
}
