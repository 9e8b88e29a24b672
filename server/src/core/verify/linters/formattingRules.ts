// Rules of linters that are only about the layout of code. If the repository has a formatter, it fixes their findings
// in one run, and its installed version determines them.

import { createWordSet } from '../../../util/wordSet.ts';
import type { LinterKind } from '../detect/lintCommand.ts';

/** Matches rules of ESLint plugins that run a formatter. */
const FORMATTER_PATTERN = /^(?:prettier|dprint|format)(?:\/|$)/;
/** Matches rules of ESLint plugins that contain only layout rules, by their usual prefixes. */
const PLUGIN_PATTERN = /^(?:style|stylistic|@stylistic)(?:\/|$)/;
/** Matches codes of pycodestyle in Ruff for indentation, white space and blank lines. */
const PYTHON_LAYOUT_PATTERN = /^(?:E[123]\d\d|W[123]\d\d)$/;
/**
 * Layout rules of ESLint itself, which it has frozen in favour of formatters:
 * https://eslint.org/blog/2023/10/deprecating-formatting-rules/
 */
const ESLINT_LAYOUT: ReadonlySet<string> = createWordSet(`
  array-bracket-newline array-bracket-spacing array-element-newline arrow-parens arrow-spacing block-spacing brace-style
  comma-dangle comma-spacing comma-style computed-property-spacing dot-location eol-last func-call-spacing
  function-call-argument-newline function-paren-newline generator-star-spacing implicit-arrow-linebreak indent
  jsx-quotes key-spacing keyword-spacing linebreak-style lines-between-class-members
  multiline-ternary new-parens newline-per-chained-call no-extra-semi no-mixed-spaces-and-tabs no-multi-spaces
  no-multiple-empty-lines no-tabs no-trailing-spaces no-whitespace-before-property object-curly-newline
  object-curly-spacing object-property-newline one-var-declaration-per-line operator-linebreak padded-blocks
  padding-line-between-statements quote-props quotes rest-spread-spacing semi semi-spacing semi-style
  space-before-blocks space-before-function-paren space-in-parens space-infix-ops space-unary-ops switch-colon-spacing
  template-curly-spacing template-tag-spacing wrap-iife wrap-regex yield-star-spacing
`);

/** Further rules of ESLint about notation. None of them finds a mistake. */
const ESLINT_STYLE: ReadonlySet<string> = createWordSet(`
  arrow-body-style camelcase func-names func-style id-length max-len max-lines max-lines-per-function
  max-nested-callbacks no-magic-numbers no-var object-shorthand one-var prefer-arrow-callback prefer-const
  prefer-destructuring prefer-template sort-imports sort-keys spaced-comment vars-on-top
`);

/** Matches rules of any plugin that no formatter satisfies in every case. */
const UNFORMATTABLE_PATTERN = /(?:^|\/)(?:max-len|lines-around-comment|unicode-bom)$/;

/**
 * True for a rule, as its linter names it, whose findings are left to the repository's formatter. `hasFormatter`: true
 * if the repository has a formatter for scripts. Ruff has its own.
 */
export function isFormattingRule(linter: LinterKind, rule: string, hasFormatter: boolean): boolean {
  if (linter === 'ruff') return PYTHON_LAYOUT_PATTERN.test(rule);
  // Biome has a group `style`, which is not about layout.
  if (linter !== 'eslint' && linter !== 'xo') return false;
  if (FORMATTER_PATTERN.test(rule)) return true;
  return hasFormatter && !UNFORMATTABLE_PATTERN.test(rule) && (PLUGIN_PATTERN.test(rule) || ESLINT_LAYOUT.has(rule));
}

/** True for a rule, as its linter names it, that is about the notation of code rather than its behaviour. */
export function isStyleRule(linter: LinterKind, rule: string): boolean {
  return isFormattingRule(linter, rule, true) || ((linter === 'eslint' || linter === 'xo') && ESLINT_STYLE.has(rule));
}
