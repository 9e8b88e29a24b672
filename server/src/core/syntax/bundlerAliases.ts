// Reads `resolve.alias` of a configuration of Vite or Vitest, as far as its text shows it. The file is parsed, never run.

import { posix } from 'node:path';
import { ts } from 'ts-morph';

/** A pattern with at most one `*`, and the path that it stands for, from the folder of the configuration. */
export type BundlerAlias = readonly [pattern: string, target: string];

/** Matches the name of such a configuration. */
export const BUNDLER_CONFIG = /(?:^|\/)vite(?:st)?\.config\.[cm]?[jt]s$/;
/** Longer texts are not read. */
const MAX_CHARACTERS = 20_000;
/** Maximum number of aliases. */
const MAX_ALIASES = 100;
/** A regular expression that names a module, or all modules below it. */
const NAMED = /^\/\^([\w@/.\\-]+?)(\(\.[*+]\))?\$?\/$/;

/** The aliases in the text, in their order; empty if there are none, or if it cannot be read. */
export function readBundlerAliases(path: string, text: string): readonly BundlerAlias[] {
  if (text.length > MAX_CHARACTERS || !/\balias\b/.test(text)) return [];
  const aliases: BundlerAlias[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && nameOf(node) === 'alias') aliases.push(...aliasesIn(node.initializer));
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return aliases.slice(0, MAX_ALIASES);
}

function aliasesIn(value: ts.Expression): readonly BundlerAlias[] {
  if (ts.isObjectLiteralExpression(value))
    return value.properties.flatMap((property) => {
      const find = ts.isPropertyAssignment(property) ? nameOf(property) : null;
      const target = ts.isPropertyAssignment(property) ? pathIn(property.initializer) : null;
      return find === null || target === null ? [] : withModulesBelow(find, target);
    });
  if (!ts.isArrayLiteralExpression(value)) return [];
  return value.elements.flatMap((element) => {
    const partOf = (name: string) =>
      ts.isObjectLiteralExpression(element)
        ? element.properties.find(
            (one): one is ts.PropertyAssignment => ts.isPropertyAssignment(one) && nameOf(one) === name,
          )
        : undefined;
    const find = partOf('find')?.initializer;
    const replacement = partOf('replacement')?.initializer;
    const target = replacement ? pathIn(replacement) : null;
    if (!find || target === null) return [];
    if (ts.isStringLiteralLike(find)) return withModulesBelow(find.text, target);
    const [, name, below] = ts.isRegularExpressionLiteral(find) ? (NAMED.exec(find.text) ?? []) : [];
    if (name === undefined) return [];
    const plain = name.replaceAll('\\', '').replace(/\/$/, '');
    return below === undefined ? [[plain, target]] : [[`${plain}/*`, target.replace(/\/?\$1/, '/*')]];
  });
}

/** An alias by its name stands for the modules below it, too. */
function withModulesBelow(find: string, target: string): readonly BundlerAlias[] {
  const [name, folder] = [find.replace(/\/$/, ''), target.replace(/\/$/, '')];
  const below = [`${name}/*`, `${folder}/*`] as const;
  return find.endsWith('/') ? [below] : [[name, folder], below];
}

/**
 * The path that the expression makes of its texts, as `resolve(__dirname, 'src')`, `new URL('./src', import.meta.url)`
 * and `'./src'` do; null if it leads out of the folder, or if no text is a path.
 */
function pathIn(value: ts.Expression): string | null {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node)) texts.push(...node.templateSpans.map(({ literal }) => literal.text));
    else ts.forEachChild(node, visit);
  };
  visit(value);
  const isPath =
    /^\.{1,2}\//.test(texts[0] ?? '') || /\b(?:__dirname|dirname|resolve|join|URL|cwd)\b/.test(value.getText());
  if (!isPath || texts.length === 0) return null;
  const target = posix.join('.', ...texts.map((text) => text.replace(/^\/+/, '')));
  return target.startsWith('..') ? null : target;
}

function nameOf({ name }: ts.PropertyAssignment): string | null {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : null;
}
