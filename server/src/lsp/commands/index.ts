// The server command `index`: updates the index and the analysis of every folder.

import { createSuccess, runWithProgress, type ServerCommand } from './command.ts';
import { formatCount } from '../../util/counted.ts';

/** Resolves once all folders are indexed and analysed. Throws `unavailable` if no folder is open. */
export const indexCommand: ServerCommand = async (context, request) => {
  context.repositories.chosen();
  const sentences: string[] = [];
  for (const repository of context.repositories.all()) {
    // If indexing was paused, this request of the person ends the pause.
    repository.indexSwitch.resume();
    const signal = AbortSignal.any([request.signal, repository.indexSwitch.signal]);
    const report = await runWithProgress(
      context,
      repository,
      `Selfware: indexing ${repository.name}`,
      { ...request, signal },
      async (session, operation) => {
        const indexReport = await session.memory.index(operation);
        await session.analysis.analyse(operation);
        return indexReport;
      },
    );
    sentences.push(
      `${repository.name}: ${formatCount(report.files, 'file')}, ${formatCount(report.symbols, 'symbol')} indexed in ${report.seconds.toFixed(1)} s.`,
    );
  }
  return createSuccess(sentences.join(' '));
};
