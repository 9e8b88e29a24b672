// Decides by roles which proposers are asked for which kind of task. In a list of proposers, `role:auto` means the role
// of the task, and `role:coding` means that role for every task.

import { SelfwareError } from '../../util/typedError.ts';
import type { AskedTask } from '../model/asks.ts';
import { parseProposerNames } from './names.ts';

/** The roles by their purpose: to turn words into a test, to find the cause of a fault, and to change code. */
export const ROLES = ['intent', 'reasoning', 'coding'] as const;
/** A role. */
export type ProposerRole = (typeof ROLES)[number];

/** The settings with the proposers of each role, as lists of names. */
export type RoleSettings = Readonly<Record<`models.roles.${ProposerRole}`, string>>;

/** The role for each kind of task. */
const ROLE_BY_KIND: Readonly<Record<AskedTask['kind'], ProposerRole>> = {
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
 * Lists the proposers of a list of names, in which each role is replaced by its proposers. `kind`: the kind of the
 * task; with null, `role:auto` means all roles. Throws `usage` for an unknown role, and for a role whose list contains
 * a role.
 */
export function resolveProposers(
  names: string,
  settings: RoleSettings,
  kind: AskedTask['kind'] | null,
): readonly string[] {
  return [
    ...new Set(
      parseProposerNames(names).flatMap(
        (name) => findRoles(name, kind)?.flatMap((role) => listProposersOfRole(role, settings)) ?? name,
      ),
    ),
  ];
}

/** The roles for which the person has named this proposer. */
export function findRolesOf(name: string, settings: RoleSettings): readonly ProposerRole[] {
  return ROLES.filter((role) => parseProposerNames(settings[`models.roles.${role}`]).includes(name));
}

/** The role whose proposers are asked for tasks of this kind if the list contains `role:auto`. */
export function findRoleOfTask(kind: AskedTask['kind']): ProposerRole {
  return ROLE_BY_KIND[kind];
}

/** Finds the roles that a name means; null if it is the name of a proposer. */
function findRoles(name: string, kind: AskedTask['kind'] | null): readonly ProposerRole[] | null {
  if (!name.startsWith('role:')) return null;
  const roleName = name.slice('role:'.length).trim();
  if (roleName === 'auto') return kind === null ? ROLES : [ROLE_BY_KIND[kind]];
  const role = ROLES.find((candidate) => candidate === roleName);
  if (role) return [role];
  throw new SelfwareError('usage', `There is no role ${roleName.slice(0, 100)}.`, {
    action: `Say role:auto, or one of: ${ROLES.map((candidate) => `role:${candidate}`).join(', ')}.`,
  });
}

/** The proposers of a role. Throws `usage` if its setting names a role. */
function listProposersOfRole(role: ProposerRole, settings: RoleSettings): readonly string[] {
  const names = parseProposerNames(settings[`models.roles.${role}`]);
  if (names.some((name) => name.startsWith('role:')))
    throw new SelfwareError('usage', `The role ${role} names a role.`, {
      action: `Name models or agents in models.roles.${role}.`,
    });
  return names;
}
