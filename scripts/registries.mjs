// Writes the registries of rules, recipes and gates. Settings, tools for agents and other generated files are derived
// from them, so `npm run generate` runs this first.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGateRegistries } from './gateRegistries.mjs';
import { root } from './registryText.mjs';
import { createRuleRegistries } from './ruleRegistries.mjs';

for (const [path, text] of Object.entries({ ...createRuleRegistries(), ...createGateRegistries() })) {
  const file = join(root, path);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
