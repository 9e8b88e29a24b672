// The code of a test file outside of its cases: imports, helpers, hooks, data. It determines what the cases demand.

import type { Skip } from '../python/skips.ts';

/** The origin of an imported name. */
export interface Origin {
  readonly module: string;
  /** The exported name; `default`, or `*` for the whole module. */
  readonly name: string;
}

/** A declaration or a statement outside of all cases. */
export interface FramePart {
  /** The names that it declares; empty for a statement that only acts, such as a hook. */
  readonly names: readonly string[];
  /** The code without differences of layout and without comments. */
  readonly text: string;
  /** The original code, on one line; absent if it is the same as the text. */
  readonly shown?: string;
  /** 1-based line number. */
  readonly line: number;
  /** Titles of the groups around it, joined like the name of a case; empty at the top level. */
  readonly scope: string;
  /** True for a statement around cases, such as a loop. */
  readonly holdsCases?: boolean;
  /** The names that it uses. */
  readonly words: readonly string[];
  /** The origin of an imported name; absent for a part that is not imported. */
  readonly origin?: Origin;
  /** For a parameter: the code around its function, which may pass a value for it; absent for other parts. */
  readonly given?: string;
  /** The elements of an array; absent for other values. An array that grows loses nothing. */
  readonly elements?: readonly string[];
  /**
   * The places at which it skips tests, or lets them fail; absent if there are none, and for languages other than
   * Python.
   */
  readonly skips?: readonly Skip[];
}

/** The code outside of the cases of a file. */
export interface TestFrame {
  readonly parts: readonly FramePart[];
  /** The places at which members of an assertion library are replaced, including those in cases. */
  readonly overrides: readonly Pick<FramePart, 'text' | 'shown' | 'line'>[];
  /** Absent if the mocks are not parsed. */
  readonly mocks?: readonly MockedModule[];
}

/** A module that a test file replaces by a mock. */
export interface MockedModule extends Pick<FramePart, 'text' | 'shown' | 'line'> {
  readonly module: string;
  /** True if the mock applies only to modules that are loaded after it. */
  readonly isLate?: boolean;
}

/** The text of an imported name, the same for all ways to import it. */
export function formatImport(local: string, { module, name }: Origin): string {
  if (name === 'default' || name === '*') return `import ${local} from '${module}'`;
  return `import { ${name}${name === local ? '' : ` as ${local}`} } from '${module}'`;
}

/** The origin of a member of an import. */
export function createMemberOrigin({ module, name }: Origin, member: string): Origin {
  return { module, name: name === '*' || name === 'default' ? member : `${name}.${member}` };
}

/** A case with the names that it uses. */
export interface FrameUser {
  /** The titles of the case and of the groups around it, outermost first, joined by ` › `. */
  readonly name: string;
  readonly words: readonly string[];
  /** Its code; absent if it is not parsed. */
  readonly body?: string;
  /** Its own declarations; absent if they are not parsed. */
  readonly declares?: readonly FramePart[];
}

/** The parts that cases use, directly or through other parts, and the names that no part declares. */
export interface ReachedParts {
  readonly parts: ReadonlySet<FramePart>;
  readonly undeclared: ReadonlySet<string>;
}

/** The scope of a case: the titles of the groups around it. */
export function findScopeOfCase(name: string): string {
  const end = name.lastIndexOf(' › ');
  return end < 0 ? '' : name.slice(0, end);
}

/** Collects the parts that these cases use. Statements that act affect all cases of their scope. */
export function collectReached({ parts }: TestFrame, users: readonly FrameUser[]): ReachedParts {
  const partsByName = new Map<string, FramePart[]>();
  for (const part of parts)
    for (const name of part.names) partsByName.set(name, [...(partsByName.get(name) ?? []), part]);
  const reachedParts = new Set<FramePart>();
  const undeclared = new Set<string>();
  const pending = users.map(({ name, words }) => ({ scope: findScopeOfCase(name), words }));
  const add = (part: FramePart) => {
    if (reachedParts.has(part)) return;
    reachedParts.add(part);
    pending.push({ scope: part.scope, words: part.words });
  };
  const scopes = new Set(pending.map(({ scope }) => scope));
  for (const part of parts)
    if (part.names.length === 0 && [...scopes].some((scope) => isWithinScope(scope, part.scope))) add(part);
  for (let user = pending.pop(); user; user = pending.pop()) {
    const { scope } = user;
    for (const word of user.words) {
      const declared = (partsByName.get(word) ?? []).filter((part) => isWithinScope(scope, part.scope));
      if (declared.length === 0) undeclared.add(word);
      declared.forEach(add);
    }
  }
  return { parts: reachedParts, undeclared };
}

/** True if a name in the scope `outer` is visible in the scope `inner`. */
export function isWithinScope(inner: string, outer: string): boolean {
  return outer === '' || inner === outer || inner.startsWith(`${outer} › `);
}
