// Makes a call of a target twice and records the outcomes: the result, changed arguments, and the call log.

import type { MemberUse, Parameter, ComparedTarget } from '../../core/verify/differential/plan.ts';
import { createDescriber, describeThrown, type DescribedValue } from './describe.ts';
import { drainIterator, isIteratorOfCode } from './results/iterators.ts';
import { createValue } from './createValue.ts';
import { callReturnedFunctions } from './results/returnedFunctions.ts';
import { SHARED_OBJECT, TIME_STEP, UNFIT_STEP, prepareSteps } from './distinguishing/useInSteps.ts';
import type { Call, ValueSpec, CallOutcome, Observation } from './messages.ts';
import type { ControlledEnvironment } from './controlledEnvironment.ts';

/** Access to the targets of a file, by name: a function that returns the target's value and the `this` for a call. */
export type Accessors = Readonly<Record<string, () => readonly [value: unknown, self: unknown]>>;

/** The observations of one call, and its texts. */
interface PerformedCall extends Observation {
  /** The call as source code. */
  readonly call: string;
  /** The result as an expression; null for errors, iterators, and values that no expression describes exactly. */
  readonly expression: string | null;
  /**
   * An expression for the result in which objects without a class are written as plain objects; null if it contains
   * none, or cannot be written as an expression.
   */
  readonly bareExpression: string | null;
  /** True if the call threw or rejected. */
  readonly threw: boolean;
  /** True if the call gave an iterator, whose values were read (`drainIterator`). */
  readonly isIterator: boolean;
  /** The returned value, or the one to which a returned promise resolved. */
  readonly returned: unknown;
}

/**
 * Makes the call twice, each time with new arguments and a reset environment (`ControlledEnvironment.reset`). A
 * difference in the second call shows state that the first one has left behind. `writesOutShared`: true if parts that the
 * result shares with an argument are written out, because a test writes both as literals; false if they are written as
 * references to the argument.
 */
export async function performTwice(
  target: ComparedTarget,
  call: Call,
  accessors: Accessors,
  environment: ControlledEnvironment,
  writesOutShared = false,
): Promise<CallOutcome> {
  const performCall = () =>
    target.kind === 'class'
      ? useClass(target, call, accessors, environment)
      : target.kind === 'value'
        ? readValue(target, accessors, environment)
        : callFunction(target, call, accessors, environment, writesOutShared);
  const { call: text, expression, bareExpression, threw, isIterator, returned, ...first } = await performCall();
  const effect = environment.readEffect();
  const repeated = await performCall();
  // If both calls return the same object, it is shared by their callers.
  const isShared = typeof returned === 'object' && returned !== null && repeated.returned === returned;
  const secondObservation: Observation = {
    result: `${repeated.result}${isShared ? ', the same object as the first time' : ''}`,
    arguments: repeated.arguments,
    callLog: repeated.callLog,
  };
  return {
    first,
    second: secondObservation,
    call: text,
    expression,
    bare: bareExpression,
    threw,
    drained: isIterator,
    effect: effect ?? environment.readEffect(),
  };
}

/** The result of one call of a function, as in `Observation`. Parts that it shares with an argument are written out. */
export async function observeCall(
  target: Extract<ComparedTarget, { kind: 'function' }>,
  call: Call,
  accessors: Accessors,
  environment: ControlledEnvironment,
): Promise<string> {
  return (await callFunction(target, call, accessors, environment, true)).result;
}

async function callFunction(
  target: Extract<ComparedTarget, { kind: 'function' }>,
  call: Call,
  accessors: Accessors,
  environment: ControlledEnvironment,
  writesOutShared: boolean,
): Promise<PerformedCall> {
  environment.reset();
  const args = createArguments(call.arguments, target.parameters, environment);
  const texts = collectTexts(args);
  // The arguments of steps belong to the object, so they are not observed.
  const [observedValues, before] = target.used ? [[], []] : [args, texts];
  const describeOptions = { named: [], isApart: writesOutShared };
  const lastStep = target.used
    ? await prepareSteps(target.used, args as (readonly unknown[])[], {
        valueOf: (importedExport) => accessTarget(accessors, formatExportKey(importedExport))[0],
        settle: async (promise) => (await environment.settle([promise])).get(promise) ?? null,
        callsOf: (id) => environment.provideRecorder(id).calls,
        onUnfit: () => environment.note(UNFIT_STEP),
        onShared: () => environment.note(SHARED_OBJECT),
      })
    : null;
  const observation = await observe(observedValues, before, environment, describeOptions, () => {
    if (lastStep) return lastStep();
    const [value, self] = accessTarget(accessors, target.name);
    if (target.member) return useMember(value as Factories, target.member, args as (readonly unknown[])[]);
    return Reflect.apply(value as (...all: unknown[]) => unknown, self, args);
  });
  const callLog = lastStep && environment.usesTime() ? [...observation.callLog, TIME_STEP] : observation.callLog;
  return { ...observation, callLog, call: `${target.name}(${texts.join(', ')})` };
}

type Functions = Readonly<Record<string, (...all: readonly unknown[]) => unknown>>;
type Factories = (new (...all: readonly unknown[]) => object) & Functions;

/**
 * Creates an instance and uses its member, or calls the function that a function returns. Throws the errors of the
 * code.
 */
function useMember(
  factories: Factories,
  { factory, name, kind }: MemberUse,
  [creationArguments = [], useArguments = []]: readonly (readonly unknown[])[],
): unknown {
  if (kind === 'returned')
    return ((factories as unknown as Functions[string])(...creationArguments) as Functions[string])(...useArguments);
  const instance = (
    factory === null ? new factories(...creationArguments) : factories[factory]!(...creationArguments)
  ) as Functions;
  return kind === 'get' ? instance[name] : instance[name]!(...useArguments);
}

/**
 * Creates an instance of a class and uses its members as the steps say. The instance itself is not described, because
 * its private state may differ.
 */
async function useClass(
  target: Extract<ComparedTarget, { kind: 'class' }>,
  call: Call,
  accessors: Accessors,
  environment: ControlledEnvironment,
): Promise<PerformedCall> {
  environment.reset();
  const args = createArguments(call.arguments, target.parameters, environment);
  const calls = [`new ${target.name}(${collectTexts(args).join(', ')})`];
  const results: string[] = [];
  const argumentChanges: string[] = [];
  let instance: object = {};
  let threw = false;
  const callLog = () => [...environment.readCallLog()];
  try {
    const [value] = accessTarget(accessors, target.name);
    instance = Reflect.construct(value as new (...all: unknown[]) => object, args);
    for (const step of call.steps) {
      const member = target.members[step.member];
      if (!member) continue;
      const stepArguments = createArguments(step.arguments, member.parameters, environment);
      const texts = collectTexts(stepArguments);
      const self = (member.static ? value : instance) as Record<string, unknown>;
      calls.push(
        member.kind === 'get'
          ? `.${member.name}`
          : member.kind === 'set'
            ? `.${member.name} = ${texts.join(', ')}`
            : `.${member.name}(${texts.join(', ')})`,
      );
      const observation = await observe(
        stepArguments,
        texts,
        environment,
        { named: [[instance, 'the instance']], isApart: false },
        () => {
          if (member.kind === 'get') return self[member.name];
          if (member.kind === 'set') return void (self[member.name] = stepArguments[0]);
          return Reflect.apply(self[member.name] as (...all: unknown[]) => unknown, self, stepArguments);
        },
      );
      results.push(`${calls.at(-1)} ${observation.result}`);
      argumentChanges.push(observation.arguments);
      threw ||= observation.threw;
    }
  } catch (error) {
    threw = true;
    results.push(`throws ${describeThrown(error)}`);
  }
  return {
    result: results.join('; ') || 'is made',
    arguments: argumentChanges.filter((text) => text !== '').join('; '),
    callLog: callLog(),
    call: calls.join(' '),
    expression: null,
    bareExpression: null,
    threw,
    isIterator: false,
    returned: undefined,
  };
}

async function readValue(
  target: ComparedTarget,
  accessors: Accessors,
  environment: ControlledEnvironment,
): Promise<PerformedCall> {
  environment.reset();
  const observation = await observe(
    [],
    [],
    environment,
    { named: [], isApart: false },
    () => accessTarget(accessors, target.name)[0],
  );
  return { ...observation, result: observation.result.replace(/^returns/, 'is'), call: target.name };
}

/**
 * Runs the code and describes its result, the changed arguments and the call log. `textsBefore`: texts of the arguments
 * before the call. `namedObjects`: objects that are written as names. `writesOutShared`: true if parts that the result shares with an
 * argument are written out.
 */
async function observe(
  args: readonly unknown[],
  textsBefore: readonly string[],
  environment: ControlledEnvironment,
  {
    named: namedObjects,
    isApart: writesOutShared,
  }: { readonly named: readonly (readonly [object, string])[]; readonly isApart: boolean },
  run: () => unknown,
): Promise<Omit<PerformedCall, 'call'>> {
  let returned: unknown;
  let thrown: string | null = null;
  let drained = false;
  try {
    returned = run();
    drained = isIteratorOfCode(returned);
    if (isIteratorOfCode(returned)) returned = drainIterator(returned);
  } catch (error) {
    thrown = describeThrown(error);
  }
  const settledPromises = await environment.settle([returned, args]);
  const textsAfter = describeArguments(args, settledPromises);
  if (thrown === null) await callReturnedFunctions(returned, environment);
  const result = returned instanceof Promise ? settledPromises.get(returned) : undefined;
  // Arguments are described first, so that a result that shares a part with one refers to it.
  const write = createDescriber(settledPromises, namedObjects);
  for (const [index, argument] of writesOutShared ? [] : args.entries()) write(argument, `argument ${index + 1}`);
  const described: DescribedValue = result ? write(result.value, 'result') : write(returned, 'result');
  const text =
    thrown !== null
      ? `throws ${thrown}`
      : returned instanceof Promise
        ? result
          ? result.rejected
            ? `rejects with ${describeThrown(result.value)}`
            : `resolves to ${described.text}`
          : 'never settles'
        : `returns ${described.text}`;
  return {
    result: text,
    arguments: textsAfter.every((text, index) => text === textsBefore[index])
      ? ''
      : textsAfter
          .map((text, index) => (text === textsBefore[index] ? '' : `argument ${index + 1} is then ${text}`))
          .filter((text) => text !== '')
          .join(', '),
    callLog: [...environment.readCallLog()],
    expression: thrown === null && !drained && described.isExact && !result?.rejected ? described.text : null,
    bareExpression: thrown === null && !drained && !result?.rejected ? described.bareText : null,
    threw: thrown !== null || result?.rejected === true,
    isIterator: drained,
    returned: result ? result.value : returned,
  };
}

function describeArguments(args: readonly unknown[], settledPromises: Parameters<typeof createDescriber>[0]): string[] {
  const write = createDescriber(settledPromises);
  return args.map((argument, index) => write(argument, `argument ${index + 1}`).text);
}

function collectTexts(args: readonly unknown[]): string[] {
  return describeArguments(args, undefined);
}

function createArguments(
  specs: readonly ValueSpec[],
  parameters: readonly Parameter[],
  environment: ControlledEnvironment,
): unknown[] {
  return specs.map((spec, index) =>
    createValue(spec, parameters[Math.min(index, parameters.length - 1)]?.name ?? `argument ${index + 1}`, environment),
  );
}

/** The name under which the accessor of an export is stored if a target uses exports of several modules. */
export function formatExportKey({ path, name }: { readonly path: string; readonly name: string }): string {
  return `${path} ${name}`;
}

function accessTarget(accessors: Accessors, name: string): readonly [unknown, unknown] {
  const accessor = accessors[name];
  if (!accessor) throw new Error(`There is no ${name}.`);
  return accessor();
}
