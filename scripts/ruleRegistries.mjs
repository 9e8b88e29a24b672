// Generates the registries of rules and recipes from their folders, and the tables about them in the documentation.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceGenerated } from './between.mjs';
import { listSubfolders, createIdentifier, readText, formatRecord, createRegistryText, root } from './registryText.mjs';

const core = join(root, 'server/src/core');

/** The rules, each with its folder and its facts. */
const rules = await Promise.all(
  listSubfolders('server/src/core/rules').map(async (id) => ({
    id,
    folder: `rules/${id}`,
    ...(await loadFacts(`rules/${id}`)),
  })),
);
/** The recipes that several rules share, each with its folder and its facts. */
const sharedRecipes = await Promise.all(
  listSubfolders('server/src/core/recipes').map(async (id) => ({
    folder: `recipes/${id}`,
    ...(await loadFacts(`recipes/${id}`)),
  })),
);
/** All recipes: those of single rules and the shared ones. */
const recipes = [...rules, ...sharedRecipes]
  .filter(({ recipe }) => recipe)
  .map(({ folder, recipe }) => ({ folder, ...recipe }))
  .sort((a, b) => (a.id < b.id ? -1 : 1));

/** The content of each registry and page, by path relative to the root. */
export function createRuleRegistries() {
  return {
    'server/src/core/rules/allRules.ts': createRegistryText(
      'core/rules and core/recipes',
      'The facts about each rule: plain data.',
      [
        ...rules.map(({ id }) => `import { rule as ${createIdentifier(id)} } from './${id}/rule.ts';`),
        '',
        ...formatRecord(
          'ruleFacts',
          rules.map(({ id }) => id),
        ),
        '',
        'export type RuleId = keyof typeof ruleFacts;',
      ],
    ),
    'server/src/core/rules/allRecipes.ts': createRegistryText(
      'core/rules and core/recipes',
      'The facts about each recipe: plain data.',
      [
        ...recipes.map(
          ({ id, folder }) =>
            `import { recipe as ${createIdentifier(id)} } from '${createImportPath(folder)}/recipe.ts';`,
        ),
        '',
        ...formatRecord(
          'recipeFacts',
          recipes.map(({ id }) => id),
        ),
      ],
    ),
    'server/src/core/rules/allFinders.ts': createRegistryText(
      'core/rules and core/recipes',
      'The finders of rules about files, by the part of a file that they examine.',
      createFinderLines(['Node', 'Function', 'Export', 'File', 'Python']),
    ),
    // These finders have their own file, because they need no compiler and the server loads them at its start.
    'server/src/core/rules/allProjectFinders.ts': createRegistryText(
      'core/rules and core/recipes',
      'The finders of rules about the whole project.',
      createFinderLines(['Project']),
    ),
    'server/src/core/rules/allRecipeFunctions.ts': createRegistryText(
      'core/rules and core/recipes',
      'The functions of all recipes.',
      [
        ...recipes.map(
          ({ id, folder }) =>
            `import { applyRecipe as ${createIdentifier(id)} } from '${createImportPath(folder)}/applyRecipe.ts';`,
        ),
        '',
        ...formatRecord(
          'recipeFunctions',
          recipes.map(({ id }) => id),
        ),
      ],
    ),
    'docs/rules.md': replaceGenerated(readText('docs/rules.md'), 'rules', createRuleTable()),
    'docs/recipes.md': replaceGenerated(readText('docs/recipes.md'), 'recipes', createRecipeTable()),
  };
}

/** The lines of a registry of finders. The type of the `finder` in each find.ts determines its kind. */
function createFinderLines(kinds) {
  const matchingRules = rules.filter(({ finder }) => kinds.includes(finder));
  const ofKind = (kind) => matchingRules.filter(({ finder }) => finder === kind).map(({ id }) => id);
  return [
    `import type { ${kinds
      .map((kind) => `${kind}Finder`)
      .sort()
      .join(', ')} } from './finders.ts';`,
    ...matchingRules.map(({ id }) => `import { finder as ${createIdentifier(id)} } from './${id}/find.ts';`),
    ...kinds.flatMap((kind) => [
      '',
      ...formatRecord(`${kind.toLowerCase()}Finders: Readonly<Record<string, ${kind}Finder>>`, ofKind(kind)),
    ]),
  ];
}

/** The table of all rules. */
function createRuleTable() {
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
function createRecipeTable() {
  const findUsers = (recipe) => rules.filter(({ rule }) => rule.recipe === recipe);
  return [
    `${recipes.length} recipes.`,
    '',
    '| recipe | does | for |',
    '|---|---|---|',
    ...recipes.map(
      ({ id, folder, title }) =>
        `| [${id}](../server/src/core/${folder}/recipe.md) | ${title} | ${findUsers(id)
          .map((rule) => `[${rule.id}](../server/src/core/rules/${rule.id}/rule.md)`)
          .join(', ')} |`,
    ),
  ];
}

/** The facts in rule.ts and recipe.ts of a folder, and the kind of its finder. */
async function loadFacts(folder) {
  const importIfExists = async (file) => (existsSync(join(core, folder, file)) ? import(join(core, folder, file)) : {});
  const find = join(core, folder, 'find.ts');
  const finder = existsSync(find)
    ? /^export const finder: (\w+)Finder\b/m.exec(readFileSync(find, 'utf8'))?.[1]
    : undefined;
  return { ...(await importIfExists('rule.ts')), ...(await importIfExists('recipe.ts')), finder };
}

/** The path of a folder from core/rules, where the registries import it. */
function createImportPath(folder) {
  return folder.startsWith('rules/') ? `./${folder.slice('rules/'.length)}` : `../${folder}`;
}
