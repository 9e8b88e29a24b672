// Generates the registries of rules and recipes from their folders, and the tables about them in the documentation.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { between } from './between.mjs';
import { foldersIn, name, read, record, registry, root } from './registryText.mjs';

const core = join(root, 'server/src/core');

/** The folders of rules, and of recipes that several rules share, with their facts. */
const rules = await Promise.all(
  foldersIn('server/src/core/rules').map(async (id) => ({
    id,
    folder: `rules/${id}`,
    ...(await factsIn(`rules/${id}`)),
  })),
);
const shared = await Promise.all(
  foldersIn('server/src/core/recipes').map(async (id) => ({
    folder: `recipes/${id}`,
    ...(await factsIn(`recipes/${id}`)),
  })),
);
const recipes = [...rules, ...shared]
  .filter(({ recipe }) => recipe)
  .map(({ folder, recipe }) => ({ folder, ...recipe }))
  .sort((a, b) => (a.id < b.id ? -1 : 1));

/** The content of each registry and page, by path relative to the root. */
export function ruleRegistries() {
  return {
    'server/src/core/rules/allRules.ts': registry(
      'core/rules and core/recipes',
      'The facts about each rule: plain data.',
      [
        ...rules.map(({ id }) => `import { rule as ${name(id)} } from './${id}/rule.ts';`),
        '',
        ...record(
          'ruleFacts',
          rules.map(({ id }) => id),
        ),
        '',
        'export type RuleId = keyof typeof ruleFacts;',
      ],
    ),
    'server/src/core/rules/allRecipes.ts': registry(
      'core/rules and core/recipes',
      'The facts about each recipe: plain data.',
      [
        ...recipes.map(({ id, folder }) => `import { recipe as ${name(id)} } from '${from(folder)}/recipe.ts';`),
        '',
        ...record(
          'recipeFacts',
          recipes.map(({ id }) => id),
        ),
      ],
    ),
    'server/src/core/rules/allFinders.ts': registry(
      'core/rules and core/recipes',
      'The finders of rules about files, by the part of a file that they examine.',
      finders(['Node', 'Function', 'Export', 'File']),
    ),
    // These finders have their own file, because they need no compiler and the server loads them at its start.
    'server/src/core/rules/allProjectFinders.ts': registry(
      'core/rules and core/recipes',
      'The finders of rules about the whole project.',
      finders(['Project']),
    ),
    'server/src/core/rules/allRecipeFunctions.ts': registry(
      'core/rules and core/recipes',
      'The functions of all recipes.',
      [
        ...recipes.map(
          ({ id, folder }) => `import { applyRecipe as ${name(id)} } from '${from(folder)}/applyRecipe.ts';`,
        ),
        '',
        ...record(
          'recipeFunctions',
          recipes.map(({ id }) => id),
        ),
      ],
    ),
    'docs/rules.md': between(read('docs/rules.md'), 'rules', ruleTable()),
    'docs/recipes.md': between(read('docs/recipes.md'), 'recipes', recipeTable()),
  };
}

/** The lines of a registry of finders. The type of the `finder` in each find.ts determines its kind. */
function finders(kinds) {
  const matchingRules = rules.filter(({ finder }) => kinds.includes(finder));
  const ofKind = (kind) => matchingRules.filter(({ finder }) => finder === kind).map(({ id }) => id);
  return [
    `import type { ${kinds
      .map((kind) => `${kind}Finder`)
      .sort()
      .join(', ')} } from './finders.ts';`,
    ...matchingRules.map(({ id }) => `import { finder as ${name(id)} } from './${id}/find.ts';`),
    ...kinds.flatMap((kind) => [
      '',
      ...record(`${kind.toLowerCase()}Finders: Readonly<Record<string, ${kind}Finder>>`, ofKind(kind)),
    ]),
  ];
}

/** The table of all rules. */
function ruleTable() {
  return [
    `${rules.length} rules.`,
    '',
    '| rule | severity | finds |',
    '|---|---|---|',
    ...rules.map(
      ({ id, rule }) =>
        `| [${id}](../server/src/core/rules/${id}/rule.md) | ${rule.severity}${rule.defaultOn === false ? ', off by default' : ''} | ${rule.description} |`,
    ),
  ];
}

/** The table of all recipes, with the rules that use each. */
function recipeTable() {
  const users = (recipe) => rules.filter(({ rule }) => rule.recipe === recipe);
  return [
    `${recipes.length} recipes.`,
    '',
    '| recipe | does | for |',
    '|---|---|---|',
    ...recipes.map(
      ({ id, folder, title }) =>
        `| [${id}](../server/src/core/${folder}/recipe.md) | ${title} | ${users(id)
          .map((rule) => `[${rule.id}](../server/src/core/rules/${rule.id}/rule.md)`)
          .join(', ')} |`,
    ),
  ];
}

/** The facts in rule.ts and recipe.ts of a folder, and the kind of its finder. */
async function factsIn(folder) {
  const facts = async (file) => (existsSync(join(core, folder, file)) ? import(join(core, folder, file)) : {});
  const find = join(core, folder, 'find.ts');
  const finder = existsSync(find)
    ? /^export const finder: (\w+)Finder\b/m.exec(readFileSync(find, 'utf8'))?.[1]
    : undefined;
  return { ...(await facts('rule.ts')), ...(await facts('recipe.ts')), finder };
}

/** The path of a folder from core/rules, where the registries import it. */
function from(folder) {
  return folder.startsWith('rules/') ? `./${folder.slice('rules/'.length)}` : `../${folder}`;
}
