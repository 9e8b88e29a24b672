// Roles: which proposers are asked for which kind of task. `role:auto` in a list means the role of the task, and
// `role:coding` that role whatever the task is.

import { SelfwareError } from '../../util/typedError.ts';
import type { AskedTask } from '../model/asks.ts';
import { parseProposerNames } from './names.ts';

/** The purposes of roles: words → a test, a fault → its cause, or a change of code. */
export const ROLES = ['intent', 'reasoning', 'coding'] as const;
/** A role. */
export type ProposerRole = (typeof ROLES)[number];

/** The settings with the proposers of each role, as lists of names. */
export type RoleSettings = Readonly<Record<`models.roles.${ProposerRole}`, string>>;

const ROLE_OF: Readonly<Record<AskedTask['kind'], ProposerRole>> = {
  acceptance: 'intent',
  migration: 'coding',
  fix: 'reasoning',
  speed: 'reasoning',
  memory: 'reasoning',
  opportunity: 'coding',
  request: 'coding',
  tests: 'coding',
  canary: 'coding',
};

/**
 * The names of a list, with the proposers of its roles in their places. `kind`: the kind of the task; null for any
 * kind, so `role:auto` means all roles. Throws `usage` for an unknown role, and for a role that names a role.
 */
export function resolveProposers(
  names: string,
  settings: RoleSettings,
  kind: AskedTask['kind'] | null,
): readonly string[] {
  return [
    ...new Set(
      parseProposerNames(names).flatMap(
        (name) => findRoles(name, kind)?.flatMap((role) => proposersOfRole(role, settings)) ?? name,
      ),
    ),
  ];
}

/** The roles for which the person has named this proposer. */
export function rolesOf(name: string, settings: RoleSettings): readonly ProposerRole[] {
  return ROLES.filter((role) => parseProposerNames(settings[`models.roles.${role}`]).includes(name));
}

/** The role whose proposers are asked for tasks of this kind, if the list says `role:auto`. */
export function roleOfTask(kind: AskedTask['kind']): ProposerRole {
  return ROLE_OF[kind];
}

/** The roles that a name means; null if it names a proposer. */
function findRoles(name: string, kind: AskedTask['kind'] | null): readonly ProposerRole[] | null {
  if (!name.startsWith('role:')) return null;
  const roleName = name.slice('role:'.length).trim();
  if (roleName === 'auto') return kind === null ? ROLES : [ROLE_OF[kind]];
  const role = ROLES.find((candidate) => candidate === roleName);
  if (role) return [role];
  throw new SelfwareError('usage', `There is no role ${roleName.slice(0, 100)}.`, {
    action: `Say role:auto, or one of: ${ROLES.map((candidate) => `role:${candidate}`).join(', ')}.`,
  });
}

function proposersOfRole(role: ProposerRole, settings: RoleSettings): readonly string[] {
  const names = parseProposerNames(settings[`models.roles.${role}`]);
  if (names.some((name) => name.startsWith('role:')))
    throw new SelfwareError('usage', `The role ${role} names a role.`, {
      action: `Name models or agents in models.roles.${role}.`,
    });
  return names;
}
