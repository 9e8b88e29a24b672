// What a module exports, as plain data: any parser can provide it, so the rules about documentation need no tree.

import { saysSomething } from './docWords.ts';
import { docCommentAt } from './leadingComments.ts';

/** A function, class, type or constant that holds a function, at the top level of a file. */
export interface Declared {
  /** `default` where it has none. */
  readonly name: string;
  readonly kind: 'function' | 'class' | 'interface' | 'type' | 'enum' | 'constant function';
  /** Where the token before it ends: comments about it stand between `pos` and `start`. */
  readonly pos: number;
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  /** Of a function, the statements of its body at its top level; an expression is one. */
  readonly size: number;
  /** By a word of its own; lists of exports are asked apart. */
  readonly exported: boolean;
}

export interface ExportedDeclaration extends Declared {
  /** Its doc comment with its marks, or null. */
  readonly comment: string | null;
  /** `vacuous`: there is a doc comment, but it only repeats the name. */
  readonly doc: 'none' | 'vacuous' | 'documented';
}

export interface OfferedByModule {
  readonly text: string;
  readonly exported: readonly ExportedDeclaration[];
  /**
   * `pos` of what is declared, imported or exported at the top level; not of the first statement, whose comment may be
   * about the file.
   */
  readonly places: readonly number[];
}

/** Overloads count as one, the best documented; `@internal` ones are left out. `listed`: names in lists of exports. */
export function exportedAmong(
  text: string,
  declared: readonly Declared[],
  listed: ReadonlySet<string>,
): readonly ExportedDeclaration[] {
  const found = new Map<string, ExportedDeclaration>();
  for (const one of declared) {
    if (!one.exported && !listed.has(one.name)) continue;
    const comment = docCommentAt(text, one.pos);
    if (comment?.includes('@internal')) continue;
    const doc = comment === null ? 'none' : saysSomething(comment, one.name) ? 'documented' : 'vacuous';
    const earlier = found.get(one.name);
    if (!earlier || rank(doc) > rank(earlier.doc)) found.set(one.name, { ...one, comment, doc });
  }
  return [...found.values()];
}

function rank(doc: ExportedDeclaration['doc']): number {
  return doc === 'documented' ? 2 : doc === 'vacuous' ? 1 : 0;
}
