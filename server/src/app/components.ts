// Lists, installs and removes optional components, for all interfaces of Selfware.

import { COMPONENTS, type Component, type ComponentName } from '../adapters/components/componentTable.ts';
import { installComponent, removeComponent } from '../adapters/components/install.ts';
import { resolveComponentsFolder, findComponentFolder } from '../adapters/components/installed.ts';
import { SelfwareError } from '../util/typedError.ts';
import type { Environment } from '../util/values/environment.ts';

/** The facts that a person is told before an installation. */
export interface ComponentPlan extends Pick<Component, 'name' | 'purpose' | 'packages' | 'megabytes'> {
  /** The folder of all components. */
  readonly place: string;
  /** The folder where this version is installed; null if it is not installed. */
  readonly installedIn: string | null;
}

/** The plans of all components. Reads only the disk. */
export function listComponentPlans(env: Environment): readonly ComponentPlan[] {
  return Object.values(COMPONENTS).map((component) => createPlan(component, env));
}

/** The plan of one component. Throws `usage` for an unknown name. */
export function findComponentPlan(name: string, env: Environment): ComponentPlan {
  return createPlan(findComponent(name), env);
}

/**
 * Installs a component with npm and returns its folder. Call this only after a person has agreed. `onFetched` receives
 * the number of files that were fetched so far. Throws `usage` for an unknown name, `cancelled`, `diskFull` and
 * `unavailable`.
 */
export function installComponentByName(
  name: string,
  env: Environment,
  signal: AbortSignal,
  onFetched: (count: number) => void,
): Promise<string> {
  return installComponent({ component: findComponent(name), env, signal, onFetched });
}

/** Removes a component in all its versions. Returns false if none was installed. Throws `usage` for an unknown name. */
export function removeComponentByName(name: string, env: Environment): Promise<boolean> {
  return removeComponent(findComponent(name), env);
}

/** Describes the installation of a component. */
function createPlan(component: Component, env: Environment): ComponentPlan {
  const { name, purpose, packages, megabytes } = component;
  return {
    name,
    purpose,
    packages,
    megabytes,
    place: resolveComponentsFolder(env),
    installedIn: findComponentFolder(component, env),
  };
}

/** The component with this name. Throws `usage` if there is none. */
function findComponent(name: string): Component {
  if (Object.hasOwn(COMPONENTS, name)) return COMPONENTS[name as ComponentName];
  throw new SelfwareError('usage', `There is no component ${name.slice(0, 100)}.`, {
    action: `Choose one of: ${Object.keys(COMPONENTS).join(', ')}.`,
  });
}
