// Recognises GraphQL in scripts. Code generators and Relay's compiler read operations and fragments from the source by
// their names.

import { ts } from 'ts-morph';

/** Names of functions that receive GraphQL. */
const GRAPHQL_TAGS = new Set(['gql', 'graphql']);
/** Matches an operation or a fragment with a name. */
const NAMED_PATTERN = /\b(query|mutation|subscription|fragment)\s+\w/;

/**
 * True for `gql\`query Orders { … }\``, `graphql(\`…\`)` and templates marked with a GraphQL comment. Such a document
 * is used even if no code reads its variable.
 */
export function isNamedGraphqlDocument(value: ts.Expression, sourceFile: ts.SourceFile): boolean {
  if (ts.isTaggedTemplateExpression(value))
    return isGraphqlTag(value.tag) && NAMED_PATTERN.test(value.template.getText(sourceFile));
  if (ts.isCallExpression(value)) {
    const [firstArgument] = value.arguments;
    return (
      isGraphqlTag(value.expression) &&
      firstArgument !== undefined &&
      ts.isStringLiteralLike(firstArgument) &&
      NAMED_PATTERN.test(firstArgument.text)
    );
  }
  return (
    (ts.isNoSubstitutionTemplateLiteral(value) || ts.isTemplateExpression(value)) &&
    hasGraphqlComment(value, sourceFile) &&
    NAMED_PATTERN.test(value.getText(sourceFile))
  );
}

function isGraphqlTag(name: ts.Expression): boolean {
  return ts.isIdentifier(name) && GRAPHQL_TAGS.has(name.text);
}

/** True for a template after a block comment that contains only `GraphQL`. */
function hasGraphqlComment(value: ts.Expression, { text }: ts.SourceFile): boolean {
  // After `=` on the same line, the compiler treats the comment as a trailing one.
  return [
    ...(ts.getTrailingCommentRanges(text, value.pos) ?? []),
    ...(ts.getLeadingCommentRanges(text, value.pos) ?? []),
  ].some(({ pos, end }) => /^\/\*\s*GraphQL\s*\*\/$/i.test(text.slice(pos, end)));
}
