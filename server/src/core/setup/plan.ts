// Creates the complete plan of a set-up without running anything: the package manager and its steps, the hosts, the
// services, and what is missing.

import { canonicalJson } from '../../util/canonicalJson.ts';
import { sha256 } from '../../util/hash.ts';
import type { Missing, PlannedStep, SetupPlan } from '../model/setup.ts';
import type { InstallOrder, InstallStep, MachineFacts } from '../ports/packages.ts';
import { findRefusedCode } from './refusedCode.ts';
import { listHosts } from './hosts.ts';
import { detectManager, type Manager, type SetupFiles } from './manager.ts';
import { findOutsidePackages } from './outsidePackages.ts';
import { formatPlan } from './planText.ts';
import { detectOtherLanguage } from './otherLanguage.ts';
import { findAllowedPackages, findScriptPackages, normalisePackageNames } from './installScripts.ts';
import { SERVICE_NAMES, findServiceHints } from './services.ts';

/** The input of a plan. */
/** Paths of the files in version control. */
export interface PlanInput {
  readonly tracked: readonly string[];
  readonly files: SetupFiles;
  /** Hash of the files that affect an installation. */
  readonly shape: string;
  readonly facts: MachineFacts;
  /** Additional permissions of a person. */
  readonly allow: ExtraPermissions;
  /** The detected test command, for people; null if none is known. */
  readonly tests: string | null;
}

/** The additional permissions of a person. */
export interface ExtraPermissions {
  /** Names of packages whose install scripts may run. */
  readonly scripts: readonly string[];
  /** Hosts that the installation may contact, in addition to those of the plan. */
  readonly hosts: readonly string[];
  /** True if the package manager may load code of the repository. */
  readonly code: boolean;
}

/** No additional permissions. */
export const NOTHING_ALLOWED: ExtraPermissions = { scripts: [], hosts: [], code: false };

/**
 * The folder into which a fetched package manager is installed, relative to the scratch copy. It is stored as `manager`
 * next to the installed packages.
 */
const MANAGER_FOLDER = '.selfware-manager';

/** A plan, and the order for the installer. */
export interface PlannedSetup {
  readonly plan: SetupPlan;
  /** The order; null if nothing needs to be installed. */
  readonly order: InstallOrder | null;
}

/** Plans the set-up. The same files, machine and permissions result in the same plan with the same hash. */
export function planSetup({ tracked, files, shape, facts, allow, tests }: PlanInput): PlannedSetup {
  const manager = detectManager(files, { os: facts.platform, arch: facts.arch });
  const language = manager === null ? detectOtherLanguage(tracked, files, facts) : null;
  const loadedCode = manager === null ? [] : findRefusedCode(manager.name, tracked, files);
  const packagesAllowedByFiles = findAllowedPackages(files);
  const wantScripts = manager === null ? [] : findScriptPackages(files);
  const scriptPackages = normalisePackageNames([...packagesAllowedByFiles.map(({ name }) => name), ...allow.scripts]);
  const allowedScripts =
    wantScripts === null ? scriptPackages : scriptPackages.filter((name) => wantScripts.includes(name));
  const hosts = manager === null ? [] : [...new Set([...listHosts(manager.name, files), ...allow.hosts])].sort();
  const { services, values } = findServiceHints(tracked, files);
  const startableServices = services.filter(({ kind }) => facts.programs[kind] !== undefined);
  const steps = manager === null ? [] : collectSteps(manager, allowedScripts, allow.code);
  const plannedSteps = steps.map(
    ({ step, because }): PlannedStep => ({
      command: step.command.join(' '),
      because,
      network: step.network,
    }),
  );
  const name = createInstallationName({ shape, facts, manager, steps: steps.map(({ step }) => step), allowedScripts });
  const missing: Missing[] = [
    ...services
      .filter(({ kind }) => facts.programs[kind] === undefined)
      .map(({ kind, because }) => ({
        what: `${SERVICE_NAMES[kind]}, which the tests ask for (${because})`,
        action: `Install ${SERVICE_NAMES[kind]} from your system's packages, then run \`selfware setup\` again.`,
      })),
    ...(loadedCode.length > 0 && !allow.code
      ? loadedCode.map(({ path, description, blocks }) => ({
          what: `${description} (${path}), which is not run`,
          action: blocks
            ? 'Read it, then run `selfware setup --allow-code`: nothing can be installed without it.'
            : 'If packages are missing without it: read it, then run `selfware setup --allow-code`.',
        }))
      : []),
    ...(manager === null ? [] : findOutsidePackages(files)),
    ...(language?.missing ?? []),
  ];
  const isBlocked = loadedCode.some(({ blocks }) => blocks) && !allow.code;
  const planWithoutText = {
    name,
    manager: manager === null ? (language?.name ?? null) : manager.name,
    steps: isBlocked ? [] : plannedSteps,
    hosts: isBlocked ? [] : hosts,
    wantScripts,
    allowedScripts,
    refusedCode: allow.code ? [] : loadedCode.map(({ path }) => path),
    services: startableServices,
    values,
    testCommand: language?.testCommand ?? null,
    missing,
  };
  const text = formatPlan(planWithoutText, {
    facts,
    tests: language?.testCommand ?? tests,
    byFiles: packagesAllowedByFiles,
    exact: manager?.exact ?? true,
  });
  const plan: SetupPlan = { ...planWithoutText, text, hash: sha256(canonicalJson([text, name])).slice(0, 16) };
  const order: InstallOrder | null =
    manager === null || isBlocked
      ? null
      : { name, shape, hosts, steps: steps.map(({ step }) => step), keep: collectKeptFiles(manager) };
  return { plan, order: order };
}

/** Variables that switch the scripts of packages on. */
const SCRIPTS_ON_ENV = { npm_config_ignore_scripts: 'false', pnpm_config_ignore_scripts: 'false' };

/** A step of the installation. `because`: the file that requests it. */
interface ExplainedStep {
  readonly step: InstallStep;
  readonly because: string;
}

/**
 * The steps of a set-up: fetch the package manager unless the machine has it, install the packages, and run the allowed
 * scripts.
 */
function collectSteps(manager: Manager, scripts: readonly string[], allowsCode: boolean): readonly ExplainedStep[] {
  const { fetched: fetchSteps, env, because } = manager;
  const install = allowsCode ? manager.install.filter((word) => word !== '--ignore-pnpmfile') : manager.install;
  const environment = { ...env, ...(allowsCode ? { YARN_IGNORE_PATH: '0' } : {}) };
  return [
    ...(fetchSteps === null
      ? []
      : [
          {
            // This installs into a folder of the scratch copy, so that the machine stays unchanged.
            step: {
              command: ['npm', 'install', '--ignore-scripts', '--no-save', '--prefix', MANAGER_FOLDER, fetchSteps],
              env: {},
              network: true,
            },
            because: `${because}: the manager itself`,
          },
        ]),
    { step: { command: install, env: environment, network: true }, because },
    ...(scripts.length === 0
      ? []
      : [
          {
            step: { command: createRebuildCommand(manager, scripts), env: SCRIPTS_ON_ENV, network: true },
            because: 'the scripts that are allowed by name',
          },
        ]),
  ];
}

/** The command that runs the install scripts of these packages. */
function createRebuildCommand({ name }: Manager, scripts: readonly string[]): readonly string[] {
  if (name === 'pnpm') return ['pnpm', 'rebuild', ...scripts];
  if (name === 'yarn') return ['yarn', 'rebuild', ...scripts];
  return ['npm', 'rebuild', '--foreground-scripts', ...scripts];
}

/** Paths relative to the root that are stored in addition to each `node_modules`. */
function collectKeptFiles({ name, exact }: Manager): readonly string[] {
  if (name === 'yarn') {
    const yarnFiles = ['.pnp.cjs', '.pnp.loader.mjs', '.yarn/cache', '.yarn/unplugged', '.yarn/install-state.gz'];
    // Yarn does not run scripts in a project without a lock file.
    return exact ? yarnFiles : [...yarnFiles, 'yarn.lock'];
  }
  return name === 'npm' && !exact ? ['package-lock.json'] : [];
}

/** The name of the installation: a hash of everything that influences it. */
function createInstallationName(inputs: {
  readonly shape: string;
  readonly facts: MachineFacts;
  readonly manager: Manager | null;
  readonly steps: readonly InstallStep[];
  readonly allowedScripts: readonly string[];
}): string {
  const { platform, arch, abi, repository } = inputs.facts;
  const { shape, manager, steps, allowedScripts } = inputs;
  return sha256(
    canonicalJson([1, shape, platform, arch, abi, repository, manager?.fetched ?? null, steps, allowedScripts]),
  ).slice(0, 24);
}
