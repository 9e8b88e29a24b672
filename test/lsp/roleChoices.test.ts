// `role:auto` in the lists of whom to ask, for a person who has named proposers for roles.

import { expect, test } from 'vitest';
import { listRoleChoices } from '../../server/src/lsp/commands/consent.ts';
import { defaultSettings } from '../../server/src/settings/schema.ts';

test('one for each kind of task is offered once a role is set', () => {
  expect(listRoleChoices(defaultSettings)).toEqual([]);
  expect(listRoleChoices({ ...defaultSettings, 'models.roles.coding': 'agent:codex' })).toMatchObject([
    { name: 'role:auto', title: 'One for Each Kind of Task' },
  ]);
});
