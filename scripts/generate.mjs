// Writes all generated files: settings, commands and tools in package.json, the registries of rules, recipes and gates,
// schemas/, docs/settings.md, docs/editor-commands.md, and tables in other pages of docs/. This file imports the
// registries, so `npm run generate` runs registries.mjs before it.
// Usage: node scripts/generate.mjs [--check]   (Node ≥ 22.18, because it imports TypeScript directly)
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { charterSchema, initialCharter } from '../server/src/settings/charterFile.ts';
import { advancedSettings, groupOf, settingGroups } from '../server/src/settings/groups.ts';
import { policySchema } from '../server/src/settings/policyFile.ts';
import { settingScopes, settingsSchema } from '../server/src/settings/schema.ts';
import { findTeamEffect } from '../server/src/settings/teamWord.ts';
import { commandTable } from '../client/src/commandTable.ts';
import { updateAgentsPage, createLanguageModelTools } from './agentTools.mjs';
import { updateNoisePage } from './noisePage.mjs';
import { updatePointsPage } from './pointsPage.mjs';
import { updateClaimsPage } from './claimsPage.mjs';
import { updateNightsPage } from './nightsPage.mjs';
import { createGateRegistries } from './gateRegistries.mjs';
import { createRuleRegistries } from './ruleRegistries.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The content of each generated file, by path relative to the root. */
export function createGeneratedFiles() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const schema = z.toJSONSchema(settingsSchema, { io: 'input' });
  const properties = Object.entries(schema.properties);

  manifest.contributes = {
    ...manifest.contributes,
    commands: commandTable.map(({ id, title, icon, enablement }) => ({
      command: id,
      title,
      category: 'Selfware',
      ...(icon ? { icon } : {}),
      ...(enablement ? { enablement } : {}),
    })),
    menus: { ...manifest.contributes.menus, commandPalette: createPaletteMenu() },
    languageModelTools: createLanguageModelTools(),
    configuration: settingGroups.map((group) => ({
      title: group.title,
      properties: Object.fromEntries(
        properties
          .filter(([name]) => groupOf(name) === group)
          // Advanced settings, which hardly anybody changes, come last.
          .sort(
            ([leftName], [rightName]) =>
              Number(advancedSettings.has(leftName)) - Number(advancedSettings.has(rightName)),
          )
          .map(([name, { description, ...jsonSchema }], order) => [
            `selfware.${name}`,
            {
              ...jsonSchema,
              scope: settingScopes[name] ?? 'resource',
              order,
              ...(advancedSettings.has(name) ? { tags: ['advanced'] } : {}),
              markdownDescription: description,
            },
          ]),
      ),
    })),
  };
  manifest.capabilities = {
    ...manifest.capabilities,
    untrustedWorkspaces: {
      ...manifest.capabilities?.untrustedWorkspaces,
      restrictedConfigurations: properties
        .map(([name]) => name)
        .filter((name) => settingScopes[name]?.startsWith('machine'))
        .map((name) => `selfware.${name}`),
    },
  };

  const createSettingRows = (group) =>
    properties
      .filter(([name]) => groupOf(name) === group)
      .map(
        ([name, { description, default: value, enum: choices }]) =>
          `| \`selfware.${name}\` | \`${JSON.stringify(value)}\` | ${description}${choices ? ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : ''} |`,
      );
  const commandRows = commandTable
    .filter(({ palette }) => palette)
    .map(({ id, title, description }) => `| Selfware: ${title} | \`${id}\` | ${description} |`);
  return {
    ...createRuleRegistries(),
    ...createGateRegistries(),
    'docs/claims.md': updateClaimsPage(readFileSync(join(root, 'docs/claims.md'), 'utf8')),
    'docs/nights.md': updateNightsPage(readFileSync(join(root, 'docs/nights.md'), 'utf8')),
    'docs/agents.md': updateAgentsPage(readFileSync(join(root, 'docs/agents.md'), 'utf8')),
    'docs/points.md': updatePointsPage(readFileSync(join(root, 'docs/points.md'), 'utf8')),
    'docs/noise.md': updateNoisePage(
      readFileSync(join(root, 'docs/noise.md'), 'utf8'),
      readFileSync(join(root, 'docs/noise-verdicts.csv'), 'utf8'),
    ),
    'schemas/charter.schema.json': createSchemaFile('The charter of a repository', charterSchema),
    'schemas/policy.schema.json': createSchemaFile('What is demanded of a change', policySchema),
    'schemas/settings.schema.json': createTeamSettingsSchema(schema),
    'schemas/charter.template.json': `${JSON.stringify(initialCharter, null, 2)}\n`,
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'docs/settings.md': [
      '# Settings',
      '',
      '<!-- Generated by `npm run generate` from server/src/settings/schema.ts. -->',
      '',
      'In VS Code under "Selfware"; on the command line as `--set NAME=VALUE` (without the `selfware.` prefix); for other editors in the `selfware` section of the workspace configuration.',
      '',
      ...settingGroups.flatMap((group) => [
        `## ${group.title}`,
        '',
        '| setting | default | what it does |',
        '|---|---|---|',
        ...createSettingRows(group),
        '',
      ]),
      ...createFileSections(),
    ].join('\n'),
    'docs/editor-commands.md': [
      '# Commands in VS Code',
      '',
      '<!-- Generated by `npm run generate` from client/src/commandTable.ts. -->',
      '',
      '| in the palette | id | what it does |',
      '|---|---|---|',
      ...commandRows,
      '',
    ].join('\n'),
  };
}

/** The commands that the palette offers only in some states, or never. */
function createPaletteMenu() {
  return commandTable.flatMap(({ id, palette, when }) =>
    palette && !when ? [] : [{ command: id, when: palette ? when : 'false' }],
  );
}

/** A schema as a file, which editors use for completion and checks. */
function createSchemaFile(title, schema) {
  return `${JSON.stringify({ title, ...z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) }, null, 2)}\n`;
}

/**
 * The schema of the settings that a team may set for everybody: those that do not affect safety, and those that can
 * require more evidence.
 */
function createTeamSettingsSchema({ properties }) {
  const teamProperties = Object.entries(properties).filter(([name]) => findTeamEffect(name) !== 'personal');
  const withPrefix = teamProperties.flatMap(([name, property]) => [
    [name, property],
    [`selfware.${name}`, property],
  ]);
  return `${JSON.stringify({ title: 'Settings of Selfware that a repository brings along', $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { $schema: { type: 'string' }, ...Object.fromEntries(withPrefix) }, additionalProperties: false }, null, 2)}\n`;
}

/** The section of docs/settings.md about a person's settings for the command line. */
const personSettingsSection = [
  '## Your own settings for the command line',
  '',
  "The command line reads `settings.json` in the folder that holds its state (`$SELFWARE_HOME`, else the user's data folder): the names of this",
  'page, with or without `selfware.`. `--set` wins over it, and it wins over what a repository brings along. `selfware doctor` says where it is',
  'and what it sets. Editors have settings of their own and do not read it.',
  '',
  'One setting stands only there: `"approve.withoutTerminal": true` lets scripts of yours decide without a terminal, and without being asked:',
  '',
  '- `proposals approve`, `proposals keep` and `inbox apply`;',
  '- your word that teaches Selfware: `proposals reject`, `dismiss`, `learned forget`, `inbox reject`,',
  '  `rules on`, `off`, `remove`, `seed` and `refuse`, and `learn recipes --forget`;',
  '- `learn recipes --accept`, `learn train`, `rules accept`, and accepting the test of a wish (`tonight`);',
  '- what becomes of a night: `night accept`, `drop`, `squash`, `pr`, `continue`; and `resume`;',
  '- downloads and installations: `models download`, `models install`, and `setup` if the script says `--yes`;',
  '- sending code to the host of a model that you name.',
  '',
  'It is for you alone to write, and agents are refused all of this with or without it ([who may say yes](safety.md#who-may-say-yes)).',
  '',
];

/** The sections of docs/settings.md about files in a repository. */
function createFileSections() {
  const rows = Object.entries(z.toJSONSchema(charterSchema, { io: 'input' }).properties)
    .filter(([name]) => name !== '$schema')
    .map(([name, { description }]) => `| \`${name}\` | ${description} |`);
  return [
    ...personSettingsSection,
    '## What a repository brings along',
    '',
    '`.selfware/settings.json` sets how things look for everybody who works in the repository; what a person sets wins. ' +
      'Of the settings that decide how a change is proven, it may ask for more than a person does, never for less. ' +
      'It never names a program, an address, a branch or an approval level. `selfware doctor` lists what was not taken, and why.',
    '',
    '`.selfware/charter.json` says what may be done in the repository (command **Selfware: Open the Charter**). It can only tighten what a person has set. One that cannot be read allows nothing to be applied.',
    '',
    '| in the charter | what it does |',
    '|---|---|',
    ...rows,
    '',
    'VS Code completes and checks both files; for other editors the schemas are `schemas/charter.schema.json` and `schemas/settings.schema.json`.',
    '',
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(createGeneratedFiles())) {
    const file = join(root, path);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    if (process.argv.includes('--check')) {
      console.error(`${path} is not current: run \`npm run generate\`.`);
      process.exitCode = 1;
    } else writeFileSync(file, text);
  }
}
