// Rules of linters that concern the layout of code alone. A formatter of the repository mends them in one run, and
// which version of it is installed decides what they find.

import { wordsOf } from '../../../util/wordsOf.ts';
import type { LinterKind } from '../detect/lintCommand.ts';

/** Plugins of ESLint that hold only such rules, by their usual prefixes. */
const PLUGINS = /^(?:prettier|dprint|format|style|stylistic|@stylistic)(?:\/|$)/;
/** Codes of pycodestyle, as Ruff has them: indentation, white space and blank lines. */
const PYTHON_LAYOUT = /^(?:E[123]\d\d|W[123]\d\d)$/;
/**
 * ESLint's own, which it has frozen in favour of formatters:
 * https://eslint.org/blog/2023/10/deprecating-formatting-rules/
 */
const ESLINT_LAYOUT: ReadonlySet<string> = wordsOf(`
  array-bracket-newline array-bracket-spacing array-element-newline arrow-parens arrow-spacing block-spacing brace-style
  comma-dangle comma-spacing comma-style computed-property-spacing dot-location eol-last func-call-spacing
  function-call-argument-newline function-paren-newline generator-star-spacing implicit-arrow-linebreak indent
  jsx-quotes key-spacing keyword-spacing linebreak-style lines-around-comment lines-between-class-members max-len
  multiline-ternary new-parens newline-per-chained-call no-extra-semi no-mixed-spaces-and-tabs no-multi-spaces
  no-multiple-empty-lines no-tabs no-trailing-spaces no-whitespace-before-property object-curly-newline
  object-curly-spacing object-property-newline one-var-declaration-per-line operator-linebreak padded-blocks
  padding-line-between-statements quote-props quotes rest-spread-spacing semi semi-spacing semi-style
  space-before-blocks space-before-function-paren space-in-parens space-infix-ops space-unary-ops switch-colon-spacing
  template-curly-spacing template-tag-spacing unicode-bom wrap-iife wrap-regex yield-star-spacing
`);

/** True for a rule, as its linter names it, whose findings change nothing but the layout. */
export function isFormattingRule(linter: LinterKind, rule: string): boolean {
  if (linter === 'ruff') return PYTHON_LAYOUT.test(rule);
  // Biome has a group `style`, which is not about layout.
  return (linter === 'eslint' || linter === 'xo') && (PLUGINS.test(rule) || ESLINT_LAYOUT.has(rule));
}
