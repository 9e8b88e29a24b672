// vacuous-doc: finds doc comments that only repeat the name below them.

import { ts } from 'ts-morph';
import { isInformative } from '../../analysis/script/docWords.ts';
import { findDocCommentRange } from '../../analysis/script/leadingComments.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';
import { DECLARATION_KINDS, MEMBER_KINDS } from '../../analysis/shared/nodeKinds.ts';

export const finder: NodeFinder = { nodes: [...DECLARATION_KINDS, ...MEMBER_KINDS], find: findVacuousDoc };

/** Matches tags that add no information themselves. Any other tag does. */
const UNINFORMATIVE_TAG_PATTERN = /^@(param|returns?|class|constructor|function|method|name|memberof|public)$/;

/** A declaration or member. Some have no name. */
interface NamedNode extends ts.Node {
  readonly name?: ts.Node;
}

/**
 * Reports a doc comment that only repeats the name. Types (`{string}`, `<T>`, `a | b`) and links count as information.
 * `node` is a declaration or a member.
 */
function findVacuousDoc(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const docComment = findDocCommentRange(sourceFile.text, node.pos);
  const name = docComment && findName(node);
  if (!docComment || !name || !ts.isIdentifier(name)) return null;
  const comment = sourceFile.text.slice(docComment.pos, docComment.end);
  if (!/\p{L}/u.test(comment.replace(/@\w+/g, '')) || /[{[]|https?:|[<>=|]/.test(comment)) return null;
  if (!(comment.match(/@\w+/g) ?? []).every((tag) => UNINFORMATIVE_TAG_PATTERN.test(tag))) return null;
  if (isInformative(comment, name.text)) return null;
  return {
    rule: 'vacuous-doc',
    start: docComment.pos,
    end: docComment.end,
    nameStart: docComment.pos,
    nameEnd: docComment.end,
    impact: 8,
    confidence: 0.5,
    message: `\`${name.text}\` has a comment that only repeats the name: say what the name does not, or leave it out.`,
    evidence: { name: name.text },
    recipe: null,
    identity: name.text,
  };
}

/** The name of the declaration, or of its first variable if it declares several; undefined if it has none. */
function findName(node: ts.Node): ts.Node | undefined {
  return ts.isVariableStatement(node) ? node.declarationList.declarations[0]?.name : (node as NamedNode).name;
}
