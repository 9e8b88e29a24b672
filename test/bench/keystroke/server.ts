// Runs the built language server with an editor that types and asks for diagnostics after every keystroke.

import { setTimeout as sleep } from 'node:timers/promises';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { richCapabilities } from '../../helpers/clientCapabilities.ts';
import { startRealServer } from '../../helpers/lspServers.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { sampleProcess } from '../support/childRun.ts';
import type { Keystroke } from './typing.ts';

/**
 * Milliseconds between two letters of a fast typist, and of a pause before a burst. In a pause, the full analysis
 * starts, and it is still running when typing continues.
 */
const letterMillis = 60;
const thinkMillis = 350;
const path = 'src/large.ts';

/** The measurements of a run. */
export interface TypedRun {
  /** For each keystroke, the time from didChange to the diagnostics of that version. */
  readonly diagnosticsMs: readonly number[];
  /** For each keystroke, the time until the answer to a hover that is requested right after the diagnostics. */
  readonly hoverMs: readonly number[];
  /**
   * The time of the first keystroke after the file was opened. It is not in `diagnosticsMs`, because the thread of the
   * analysis may still be starting.
   */
  readonly firstMs: number;
  /** Processor time of the whole server per keystroke, pauses included; null if the system does not provide it. */
  readonly cpuMs: number | null;
  readonly peakMb: number | null;
  /** Number of diagnostics in the last full answer. */
  readonly found: number;
}

/** Types the keystrokes into a file with this text. */
export async function typeIntoServer(
  text: string,
  keystrokes: readonly Keystroke[],
  signal: AbortSignal,
): Promise<TypedRun> {
  const repository = await createTemporaryRepository({
    [path]: text,
    'package.json': '{"name": "large", "type": "module"}\n',
  });
  const server = await startRealServer(repository.dir, { capabilities: richCapabilities });
  const { client } = server;
  try {
    await client.initialize();
    await client.open(path);
    const uri = client.uri(path);
    let document = TextDocument.create(uri, 'typescript', 1, text);
    const textDocument = { uri };
    let report = await client.request('textDocument/diagnostic', { textDocument });
    // The cold start is not measured here, so the first analysis of the repository has to end first.
    await client.until(() =>
      client.received.some(({ method, params }) => method === '$/progress' && params.value.kind === 'end'),
    );
    await sleep(2 * thinkMillis, null, { signal });
    let before = sampleProcess(server.process.pid);
    let firstMs: number | null = null;
    const diagnosticsMs: number[] = [];
    const hoverMs: number[] = [];
    let findingCount = 0;
    for (const { at, text: letter, afterPause } of keystrokes) {
      await sleep(afterPause ? thinkMillis : letterMillis, null, { signal });
      const position = document.positionAt(at);
      const change = { range: { start: position, end: position }, text: letter };
      document = TextDocument.update(document, [change], document.version + 1);
      const startedAt = performance.now();
      await client.notify('textDocument/didChange', {
        textDocument: { uri, version: document.version },
        contentChanges: [change],
      });
      const reportPromise = client.request('textDocument/diagnostic', {
        textDocument,
        previousResultId: report.resultId,
      });
      const hovered = client
        .request('textDocument/hover', { textDocument, position })
        .then(() => hoverMs.push(performance.now() - startedAt));
      report = await reportPromise;
      if (firstMs !== null) diagnosticsMs.push(performance.now() - startedAt);
      else {
        firstMs = performance.now() - startedAt;
        before = sampleProcess(server.process.pid);
      }
      if (report.kind === 'full') findingCount = report.items.length;
      await hovered;
    }
    const after = sampleProcess(server.process.pid);
    return {
      diagnosticsMs,
      hoverMs,
      firstMs: firstMs ?? Number.NaN,
      cpuMs: before && after ? (after.cpuMs - before.cpuMs) / diagnosticsMs.length : null,
      peakMb: after?.peakMb ?? null,
      found: findingCount,
    };
  } finally {
    await server.dispose();
    await repository.dispose();
  }
}
