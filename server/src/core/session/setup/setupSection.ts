// Creates the façade's `setup` section, which installs what the repository's own tests need in the sandbox.

import { SelfwareError } from '../../../util/typedError.ts';
import type { Missing, SetupRecord } from '../../model/setup.ts';
import type { Operation } from '../../operation.ts';
import type { PackageTree } from '../../ports/packages.ts';
import { describeFailure } from '../../setup/installFailure.ts';
import type { Setup, SetupReport } from '../../setup/setup.ts';
import type { ExtraPermissions, PlannedSetup } from '../../setup/plan.ts';
import { withActivity, type SessionContext } from '../context.ts';
import { requirePackages, planForFiles } from './planning.ts';
import { proveSetup } from './proving.ts';
import { storeSetupRecord, readSetupState } from './setupState.ts';

/** Creates the section of one session. */
export function createSetupSection(context: SessionContext): Setup {
  const { operations } = context;
  return {
    plan: (allow, operation) =>
      operations.run(async (signal) => (await planForFiles(context, allow, signal)).plan, operation.signal),
    run: (approved, allow, operation) =>
      operations.run(
        (signal) => withActivity(context, 'verifying', () => setUp(context, approved, allow, { ...operation, signal })),
        operation.signal,
      ),
    state: () => readSetupState(context),
  };
}

/**
 * Carries out the approved plan, and runs the tests once. Records the set-up and the result of the tests. Throws
 * `stale` if the plan is no longer the approved one, and the errors of `planForFiles`.
 */
async function setUp(
  context: SessionContext,
  approvedHash: string,
  permissions: ExtraPermissions,
  operation: Operation,
): Promise<SetupReport> {
  const plannedSetup = await planForFiles(context, permissions, operation.signal);
  if (plannedSetup.plan.hash !== approvedHash)
    throw new SelfwareError(
      'stale',
      'The repository has changed, so the plan is no longer the one that was approved.',
      {
        action: 'Look at it again, and approve it again.',
      },
    );
  const packages = requirePackages(context);
  const installed = await install(context, plannedSetup, operation);
  const missing: Missing[] = [...plannedSetup.plan.missing, ...installed.missing];
  await packages.share(installed.kept);
  const { plan } = plannedSetup;
  const createSetupRecord = (checks: SetupRecord['checks']): SetupRecord => ({
    at: context.ports.clock.now(),
    plan: plan.hash,
    name: plan.name,
    shape: plannedSetup.order?.shape ?? '',
    manager: plan.manager,
    services: plan.services,
    values: Object.fromEntries(plan.values.map(({ name, value }) => [name, value])),
    testCommand: plan.testCommand,
    checks,
    missing,
  });
  await storeSetupRecord(context, createSetupRecord([]));
  if (!installed.failed) {
    const { tracked } = await packages.files(operation.signal);
    const proof = await proveSetup(context, tracked, operation);
    const scripts = listScriptsNotRun(installed.kept, plan.allowedScripts);
    if (proof === null)
      missing.push({
        what: 'a known test command',
        action: 'Name one in the setting `selfware.verify.testCommand`.',
      });
    else if (proof.missing !== null) missing.push(proof.missing);
    else if (!proof.check.runs || (proof.check.failed ?? 0) > 0) missing.push(...scripts);
    await storeSetupRecord(context, createSetupRecord(proof === null ? [] : [proof.check]));
  }
  const state = await readSetupState(context);
  return { checks: state.record?.checks ?? [], missing, plan, state, wantScripts: installed.kept?.wantScripts ?? [] };
}

/** The result of an installation. `kept`: the installed packages; null if there are none, or if it failed. */
interface InstallationResult {
  readonly kept: PackageTree | null;
  readonly failed: boolean;
  readonly missing: readonly Missing[];
}

/** Installs the packages, unless a tree of this name already exists. If an installation fails, the result says so. */
async function install(
  context: SessionContext,
  { order }: PlannedSetup,
  operation: Operation,
): Promise<InstallationResult> {
  if (order === null) return { kept: null, failed: false, missing: [] };
  const packages = requirePackages(context);
  const existingTree = await packages.find(order.name);
  if (existingTree !== null) return { kept: existingTree, failed: false, missing: [] };
  const result = await packages.install(order, operation);
  return result.kept === null
    ? { kept: null, failed: true, missing: [describeFailure(result)] }
    : { kept: result.kept, failed: false, missing: [] };
}

/** The install scripts that did not run. They are listed if tests fail, because something may not have been built. */
function listScriptsNotRun(packageTree: PackageTree | null, allowed: readonly string[]): readonly Missing[] {
  const skipped = packageTree?.wantScripts.filter((name) => !allowed.includes(name)) ?? [];
  if (skipped.length === 0) return [];
  return [
    {
      what: `possibly files that the install scripts of ${skipped.join(', ')} would build`,
      action: `If the failing tests need it: \`selfware setup --allow-scripts ${skipped.join(',')}\`.`,
    },
  ];
}
