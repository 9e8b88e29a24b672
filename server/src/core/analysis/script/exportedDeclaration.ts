// The exports of a module as plain data. Any parser can provide them, so the rules about documentation need no tree.

import { isInformative } from './docWords.ts';
import { readDocComment } from './leadingComments.ts';

/** A function, a class, a type, or a constant with a function, at the top level of a file. */
export interface TopLevelDeclaration {
  /** The name of the declaration; `default` if it has none. */
  readonly name: string;
  readonly kind: 'function' | 'class' | 'interface' | 'type' | 'enum' | 'constant function';
  /** Offset at which the previous token ends. Comments of the declaration are between `pos` and `start`. */
  readonly pos: number;
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  /** Number of top-level statements in the body of a function; an expression counts as one. */
  readonly size: number;
  /** True if the declaration has the keyword `export`. False if only a list of exports names it. */
  readonly exported: boolean;
}

/** A declaration that its module exports. */
export interface ExportWithComment extends TopLevelDeclaration {
  /** Its doc comment with its marks; null if there is none. */
  readonly comment: string | null;
  /** `vacuous`: the doc comment only repeats the name. */
  readonly doc: 'none' | 'vacuous' | 'documented';
}

/** The exports of a module. */
export interface ModuleExports {
  readonly text: string;
  readonly exported: readonly ExportWithComment[];
  /**
   * The `pos` of each declaration, import or export at the top level. The first statement is omitted, because its
   * comment may be about the file.
   */
  readonly declarationPositions: readonly number[];
}

/**
 * Those declarations of a file that it exports. Overloads count as one, with the best documentation; declarations
 * marked `@internal` are skipped. `listedNames`: the names in lists of exports.
 */
export function selectExported(
  text: string,
  topLevelDeclarations: readonly TopLevelDeclaration[],
  listedNames: ReadonlySet<string>,
): readonly ExportWithComment[] {
  const declarations = new Map<string, ExportWithComment>();
  for (const declaration of topLevelDeclarations) {
    if (!declaration.exported && !listedNames.has(declaration.name)) continue;
    const comment = readDocComment(text, declaration.pos);
    if (comment?.includes('@internal')) continue;
    const doc = comment === null ? 'none' : isInformative(comment, declaration.name) ? 'documented' : 'vacuous';
    const earlierOverload = declarations.get(declaration.name);
    if (!earlierOverload || rankDoc(doc) > rankDoc(earlierOverload.doc))
      declarations.set(declaration.name, { ...declaration, comment, doc });
  }
  return [...declarations.values()];
}

function rankDoc(doc: ExportWithComment['doc']): number {
  return doc === 'documented' ? 2 : doc === 'vacuous' ? 1 : 0;
}
