// Creates the façade's `analysis` section: figures and findings of the whole repository.

import type { Analysis } from '../../session.ts';
import { withActivity, type SessionContext } from '../context.ts';
import type { Freshness } from '../freshness.ts';
import { findChangedPaths } from '../propose/unsavedTexts.ts';
import { measureAndKeepCoverage } from './coverage/measuring.ts';
import { findWrongExamples } from './examples/searchExamples.ts';
import { findCounterexamples } from './counterexamples.ts';
import { findByRules } from './finding.ts';
import { profileHotFunctions } from './hotFunctions.ts';
import { lintRepository } from './linting.ts';
import { lintUnasked } from './unaskedLinters.ts';
import { scoreRepository } from './scoring.ts';
import { filterFindings } from './listOpportunities.ts';
import { findUnguarded } from './unguarded/unguarded.ts';
import { createVerifyContext } from '../verify/verifying.ts';

/** Creates the section of one session. Searches that run code of the repository first update the analysis. */
export function createAnalysisSection(context: SessionContext, { analyse }: Freshness): Analysis {
  const { operations, state } = context;
  return {
    analyse: (operation, paths) =>
      operations.run((signal) => analyse({ ...operation, signal }, paths), operation.signal),
    findByRules: (rules, operation) =>
      operations.run(
        (signal) => withActivity(context, 'analysing', () => findByRules(context, rules, { ...operation, signal })),
        operation.signal,
      ),
    lint: (operation) =>
      operations.run(
        (signal) =>
          withActivity(context, 'analysing', async () => {
            const lint = operation.unasked ? lintUnasked : lintRepository;
            const report = await lint(context, { ...operation, signal });
            return { ...report, opportunities: await filterFindings(context, report.opportunities) };
          }),
        operation.signal,
      ),
    counterexamples: (request) =>
      operations.run(
        (signal) =>
          withActivity(context, 'searching', async () => {
            await analyse({ ...request, signal });
            return findCounterexamples(context, { ...request, signal });
          }),
        request.signal,
      ),
    examples: (request) =>
      operations.run(
        (signal) =>
          withActivity(context, 'searching', async () => {
            await analyse({ ...request, signal });
            return findWrongExamples(context, { ...request, signal });
          }),
        request.signal,
      ),
    unguarded: (request) =>
      operations.run(
        (signal) =>
          withActivity(context, 'searching', async () => {
            await analyse({ ...request, signal });
            return findUnguarded(context, { ...request, signal });
          }),
        request.signal,
      ),
    hot: (request) =>
      operations.run(
        (signal) =>
          withActivity(context, 'searching', async () => {
            await analyse({ ...request, signal });
            return profileHotFunctions(context, { ...request, signal });
          }),
        request.signal,
      ),
    coverage: (request) =>
      operations.run(
        (signal) =>
          withActivity(context, 'searching', async () => {
            const searchRequest = { ...request, signal };
            await analyse(searchRequest);
            const answer = await measureAndKeepCoverage(
              context,
              () => createVerifyContext(context, searchRequest),
              searchRequest,
            );
            // Points and findings about tests depend on the coverage.
            await analyse({ signal });
            return answer;
          }),
        request.signal,
      ),
    changedPaths: () => findChangedPaths(context),
    async metrics(paths) {
      const requestedPaths = paths && new Set(paths);
      return [...state.analyses.values()]
        .filter(({ path }) => !requestedPaths || requestedPaths.has(path))
        .flatMap(({ functions }) => functions);
    },
    async score() {
      const { points, places } = await scoreRepository(context);
      return { ...points, places };
    },
  };
}
