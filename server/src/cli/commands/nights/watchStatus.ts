// `selfware status --watch`: shows the current step of an unattended run until the run ends.

import { setTimeout as sleep } from 'node:timers/promises';
import { createStderrLog } from '../../../adapters/system/system.ts';
import { rewriteBlock, supportsControl, writeJson, writeOut } from '../../../adapters/system/terminal.ts';
import { readNewestNight } from '../../../app/nights/watchNight.ts';
import { findEndError } from '../../../core/run/nightQueries.ts';
import { createBottleneckReader } from '../../../core/session/learn/performance/bottleneckReader.ts';
import { createHealthReader } from '../../../core/session/ledger/healthReader.ts';
import { nightHeadline } from '../../../core/run/report/nightReport.ts';
import { computeChangesPerHour, liveLines, determineCurrentState } from '../../../core/run/live.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import { handleInterruption } from '../../interruption.ts';
import { loadProcessSettings, type CommonOptions } from '../../invocation.ts';

/** Milliseconds between two updates. */
const REFRESH_MS = 1_000;

/**
 * Shows the status until the run ends or the person interrupts. On a terminal, the lines are rewritten; elsewhere, they
 * are printed once a minute and after each new change. With `--json`, one document is printed each second. Returns at
 * once if no run is in progress.
 */
export async function watchStatus(options: CommonOptions): Promise<void> {
  const { rootDir, settings } = await loadProcessSettings(options);
  const { signal } = handleInterruption();
  const log = createStderrLog('error');
  const readers = {
    health: createHealthReader(),
    bottleneck: createBottleneckReader(settings['performance.targets']),
  };
  const rewritesLines = supportsControl(process.stdout.isTTY) && !options.json;
  let lastPrinted = { at: 0, changes: -1 };
  let lineCount = 0;
  while (!signal.aborted) {
    const now = Date.now();
    const { isRunning, watched } = await readNewestNight(rootDir, process.env, log, readers);
    if (!isRunning || watched === null) {
      if (options.json) writeJson({ running: isRunning, night: watched?.night ?? null });
      else if (isRunning) writeOut('The unattended run is starting.');
      else
        writeOut(
          watched === null
            ? 'There was no unattended run here.'
            : escapeInvisibleLine(
                `No unattended run. Last: ${nightHeadline(watched.night)}${formatErrorSuffix(findEndError(watched.night))}`,
              ),
        );
      if (!isRunning) return;
    } else if (options.json) {
      const { night, live, wishes, health, bottleneck } = watched;
      writeJson({
        running: true,
        branch: night.branch,
        state: determineCurrentState(night, live),
        live,
        wishes,
        health,
        bottleneck,
        changesAnHour: computeChangesPerHour(night, now),
        run: night.runs.at(-1) ?? null,
      });
    } else {
      const changes = watched.night.changes.length;
      const lines = liveLines(watched, now, formatTimeOfDay).map(escapeInvisibleLine);
      if (rewritesLines) lineCount = rewriteBlock(lines, lineCount);
      else if (changes !== lastPrinted.changes || now - lastPrinted.at >= 60_000) {
        lastPrinted = { at: now, changes };
        writeOut(lines.join('\n'));
      }
    }
    await sleep(REFRESH_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** The time of day in the local time zone, to the minute, such as `07:00`. */
export function formatTimeOfDay(at: number): string {
  return new Date(at).toTimeString().slice(0, 5);
}

function formatErrorSuffix(error: string | null): string {
  return error === null ? '' : `. ${error}`;
}
