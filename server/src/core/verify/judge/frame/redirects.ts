// Judges a name of a test file that was imported and now has another origin.

import { PYTHON_PACKAGES } from './knownNames.ts';
import type { FileEdit } from '../../../model.ts';
import { findEdit, isLibrary, isLocal, isSameModule, isTestModule, WHOLE_MODULE } from './modules.ts';
import { isReexport } from './isReexport.ts';
import type { FramePart, Origin } from './testFrame.ts';

/** The name, before and after the change. */
interface Redirect {
  readonly name: string;
  /** The imported origin; null if the runner provided the name without an import. */
  readonly origin: Origin | null;
  readonly newPart: FramePart;
  /** All parts of the file after the change. */
  readonly newParts: readonly FramePart[];
  /** The code after the change that uses the name, perhaps with other code. */
  readonly uses: readonly string[];
  /** The path that the old import is relative to. */
  readonly from: string;
  /** The path after the change. */
  readonly path: string;
  readonly edits: readonly FileEdit[];
}

type Answer = 'loosened' | 'rewritten' | null;

/** Matches names of assertions that runners provide without an import. */
const GLOBAL_ASSERTION = /^(?:expect|assert|should|chai)$/;
/**
 * Matches names that declare tests, and helpers of runners that compare nothing. Tests often extend or replace them.
 */
const RUNNER_NAME =
  /^(?:x?test|x?it|x?describe|suite|context|specify|base|vi|jest|vitest|mock|setup|teardown|(?:before|after)(?:Each|All)?)$/;
/** Matches members of `assert` that compare loosely unless the module is strict. */
const LOOSE_MEMBER = /^(?:equal|notEqual|deepEqual|notDeepEqual)$/;
/** Matches files that are data, not code. */
const DATA_FILE = /\.(?:json5?|ya?ml|toml|css|svg|txt|md)$/;
/** Matches a function by which a library loads plugins or matchers, and which returns the library. */
const PLUGIN_FUNCTION = /(?:^|\.)(?:use|extend|configure)$/;
/**
 * Judges the new origin of a name. `loosened`: an assertion or the tested code is replaced. `rewritten`: the name now
 * stands for other code, for a reason that may be harmless. Null: it still stands for the same code.
 */
export function judgeRedirect(redirect: Redirect): Answer {
  const { name, origin, newPart } = redirect;
  // Runners pass assertions and other tools to tests.
  if (newPart.given !== undefined && !(origin && isSubject(origin, redirect))) return null;
  if (!origin) {
    if (newPart.origin && !isLocal(newPart.origin.module)) return null;
    if (!GLOBAL_ASSERTION.test(name)) return 'rewritten';
    if (/^[^=]*=(?:(?:globalThis|window)\.)?chai\b/.test(newPart.text)) return 'rewritten';
    return newPart.origin
      ? judgeNewLibrary({ ...redirect, origin: { module: 'expect', name } }, newPart.origin)
      : 'loosened';
  }
  if (newPart.origin) {
    if (isLocal(origin.module) && isSameOrigin({ ...redirect, origin }, newPart.origin)) return null;
    if (isLibrary(origin.module)) return judgeNewLibrary({ ...redirect, origin }, newPart.origin);
    return isSubject(origin, redirect) ? judgeNewSubject({ ...redirect, origin }, newPart.origin) : 'rewritten';
  }
  return judgeDefinition({ ...redirect, origin });
}

type Imported = Redirect & { readonly origin: Origin };

/** True for code of the repository that is not test code: it may be the tested code. */
export function isSubject({ module }: Origin, { from, edits }: Pick<Redirect, 'from' | 'edits'>): boolean {
  return (
    isLocal(module) &&
    !PYTHON_PACKAGES.has(module.split('/')[1] ?? '') &&
    !DATA_FILE.test(module) &&
    !isTestModule(module, from, edits)
  );
}

/** True if the import, perhaps from another location, still refers to the same module. */
function isFromSame({ origin, from, path }: Imported, now: Origin): boolean {
  return isSameModule(origin.module, from, now.module, path);
}

function isSameOrigin(redirect: Imported, now: Origin): boolean {
  const nameOf = ({ name }: Origin) => (name === '*' ? 'default' : name);
  return isFromSame(redirect, now) && nameOf(redirect.origin) === nameOf(now);
}

/** The answer for an assertion that is now imported from another module. */
function judgeNewLibrary(redirect: Imported, now: Origin): Answer {
  const { name, origin, from, path, edits } = redirect;
  if (losesStrictness(redirect, now)) return 'loosened';
  // Assertions are compared by their exported names.
  if (now.module === origin.module) return null;
  if (!isLocal(now.module)) return isLibrary(now.module) ? null : 'rewritten';
  if (RUNNER_NAME.test(name)) return 'rewritten';
  const target = findEdit(now.module, path, edits);
  return target && !isReexport(target, { origin, from, now }) ? 'loosened' : 'rewritten';
}

/** True if `deepEqual` and similar members, which the tests use, now compare loosely. */
function losesStrictness({ name, origin, uses }: Imported, now: Origin): boolean {
  if (!isStrict(origin) || isStrict(now) || !/(?:^|\/)assert$/.test(now.module)) return false;
  if (!WHOLE_MODULE.test(now.name)) return LOOSE_MEMBER.test(now.name);
  const call = new RegExp(String.raw`(?<![\w$.])${name.replace(/\W/g, String.raw`\$&`)}\.(\w+)\(`, 'g');
  return uses.some((text) => [...text.matchAll(call)].some(([, member]) => LOOSE_MEMBER.test(member!)));
}

function isStrict({ module, name }: Origin): boolean {
  return /(?:^|\/)assert\/strict$/.test(module) || (/(?:^|\/)assert$/.test(module) && /^strict(?:\.|$)/.test(name));
}

/** The answer for tested code that is now imported from another module. */
function judgeNewSubject(redirect: Imported, now: Origin): Answer {
  const { origin, from, path, edits } = redirect;
  const oldModuleEdit = findEdit(origin.module, from, edits);
  if (isFromSame(redirect, now)) {
    if (WHOLE_MODULE.test(now.name) || WHOLE_MODULE.test(origin.name) || !oldModuleEdit) return 'rewritten';
    const isAddedBesideOld =
      mentionsWord(oldModuleEdit.after, findRootName(origin.name)) &&
      !mentionsWord(oldModuleEdit.before, findRootName(now.name));
    return isAddedBesideOld ? 'loosened' : 'rewritten';
  }
  if (isGone(oldModuleEdit, origin)) return null;
  const target = isLocal(now.module) ? findEdit(now.module, path, edits) : undefined;
  if (isReexport(target, { origin, from, now })) return 'rewritten';
  if (isLocal(now.module) && isTestModule(now.module, path, edits)) return 'loosened';
  const moduleName = now.module.split('/').at(-1)!;
  return target?.before === null && !mentionsWord(oldModuleEdit?.after ?? null, moduleName) ? 'loosened' : 'rewritten';
}

/** The answer for an imported name that the file now defines itself. */
function judgeDefinition(redirect: Imported): Answer {
  const { name, origin, newPart, newParts, from, edits } = redirect;
  const makers = findMakers(redirect);
  const isRunner = !isLocal(origin.module) && RUNNER_NAME.test(name);
  if (isRunner || (!isLocal(origin.module) && makers.some((maker) => PLUGIN_FUNCTION.test(maker)))) return 'rewritten';
  if (isLibrary(origin.module)) return 'loosened';
  // A wrapper: the wrapped function is still imported, by another name.
  const isWrapped = newParts.some(
    (part) => part !== newPart && part.origin !== undefined && isSameOrigin(redirect, part.origin),
  );
  if (!isSubject(origin, redirect)) return isWrapped ? 'loosened' : 'rewritten';
  if (isGone(findEdit(origin.module, from, edits), origin)) return 'rewritten';
  if (newPart.given !== undefined && passesSubject(redirect, newPart.given)) return 'rewritten';
  if (!isWrapped && makers.length > 0) return 'rewritten';
  // `let a;` with a hook that loads the module again for each test.
  const loads = new RegExp(
    String.raw`\b(?:import|require|importActual|mock)\w*\(['"][^'"]*${origin.module.split('/').at(-1)!.replace(/\W/g, '.')}`,
  );
  if (!/[={(]/.test(newPart.text) && newParts.some(({ text }) => loads.test(text))) return 'rewritten';
  return 'loosened';
}

/** True if a table of cases, or a fixture, passes the imported value for the parameter: `each([[clamp]])`. */
function passesSubject(redirect: Imported, suppliedText: string): boolean {
  const { newParts } = redirect;
  const fixtures = newParts.filter(({ text }) => /\bextend(?:<.*>)?\(/.test(text)).map(({ text }) => text);
  return newParts.some(({ names: [local = ''], origin }) => {
    if (!origin || !isFromSame(redirect, origin)) return false;
    const value = new RegExp(String.raw`[(,[:{]${local.replace(/\W/g, String.raw`\$&`)}(?=[\]),}.])`);
    return [suppliedText, ...fixtures].some((text) => value.test(text));
  });
}

/**
 * Functions and classes of the same module that return the new value of the name: `create` in `a = create()`, `Store`
 * in `a = new Store()`.
 */
function findMakers(redirect: Imported): readonly string[] {
  const { name, origin, newPart, newParts, from, edits } = redirect;
  const escaped = name.replace(/\W/g, String.raw`\$&`);
  const call = String.raw` ?= ?(?:await )?(?:new )?([\w$]+(?:\.[\w$]+)*)\(`;
  const assigned = new RegExp(String.raw`(?<![\w$.])${escaped}${call}`, 'g');
  const bound = new RegExp(String.raw`^\{[^=]*\}${call}`, 'g');
  const makers = [...newParts.flatMap(({ text }) => [...text.matchAll(assigned)]), ...newPart.text.matchAll(bound)];
  return makers.flatMap(([, maker]) => {
    const [root, ...members] = maker!.split('.');
    const importOrigin = newParts.find(({ names, origin }) => origin && names[0] === root)?.origin;
    if (!importOrigin || !isFromSame(redirect, importOrigin)) return [];
    if (importOrigin.name === origin.name && members.length === 0) return [];
    // Code that the change adds next to the old code does not replace it.
    const { before = null } = findEdit(origin.module, from, edits) ?? {};
    const exportedName = [importOrigin.name, ...members].find((word) => !WHOLE_MODULE.test(word)) ?? '';
    return before === null || mentionsWord(before, exportedName) ? [[importOrigin.name, ...members].join('.')] : [];
  });
}

/** Matches an export of a whole module or of its default. */
const DEFAULT_EXPORT = /\bexport\s+default\b|\bas\s+default\b|\bmodule\.exports\s*=|\bexport\s*=/;

/** True if the module was deleted, or no longer has the name. */
function isGone(old: FileEdit | undefined, { name }: Origin): boolean {
  if (!old) return false;
  if (old.after === null) return true;
  if (!WHOLE_MODULE.test(name)) return !mentionsWord(old.after, findRootName(name));
  return name === 'default' && DEFAULT_EXPORT.test(old.before ?? '') && !DEFAULT_EXPORT.test(old.after);
}

/** The exported name itself: `math` for `math.clamp`. */
function findRootName(name: string): string {
  return name.split('.')[0]!;
}

function mentionsWord(text: string | null, word: string): boolean {
  return new RegExp(String.raw`(?<![\w$])${word.replace(/\W/g, String.raw`\$&`)}(?![\w$])`).test(text ?? '');
}
