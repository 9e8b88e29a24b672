// `selfware models download NAME`: downloads an embedding model after asking the person.

import { Argument, type Command } from 'commander';
import {
  findDownloadedModel,
  downloadEmbeddingModel,
  MODEL_HOST,
  loadTransformersLibrary,
} from '../../../app/embeddingModels.ts';
import { writeError, writeJson, writeOut } from '../../../adapters/system/terminal.ts';
import { createCommand, loadProcessSettings, type CommonOptions } from '../../invocation.ts';
import { handleInterruption } from '../../interruption.ts';
import { requirePerson } from '../../person.ts';
import { createProgressLine } from '../../writers/progressLine.ts';

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** The subcommand `models download`. */
export function createDownloadCommand(): Command {
  return createCommand('download', 'fetches an embedding model from huggingface.co, after asking')
    .addArgument(new Argument('<model>', 'OWNER/NAME, such as Xenova/all-MiniLM-L6-v2'))
    .action(async (name: string, options: CommonOptions) => {
      const { settings, ownSettings } = await loadProcessSettings(options);
      const earlierFolder = findDownloadedModel(name, process.env);
      const folder =
        earlierFolder ??
        (await downloadAfterConsent(name, await loadTransformersLibrary(settings, process.env), ownSettings));
      if (options.json) return writeJson({ name, folder, downloaded: earlierFolder === null });
      writeOut(`${earlierFolder === null ? 'Downloaded' : 'Already there'}: ${folder}`);
      writeOut(`To use it, set selfware.memory.embedder to transformers and selfware.memory.embedderModel to ${name}.`);
    });
}

/** Asks the person, then downloads the model. Returns its folder. */
async function downloadAfterConsent(
  name: string,
  library: Awaited<ReturnType<typeof loadTransformersLibrary>>,
  ownSettings: Awaited<ReturnType<typeof loadProcessSettings>>['ownSettings'],
): Promise<string> {
  const { signal } = handleInterruption();
  await requirePerson({
    subject: `To download ${name}`,
    question: `Download ${name} from ${MODEL_HOST}?`,
    ownSettings: ownSettings,
    show: () => writeError('Models have 20 MB to some GB. No code of yours is sent.'),
  });
  const line = createProgressLine();
  try {
    return await downloadEmbeddingModel(name, process.env, library, signal, (loaded, total) => {
      const [loadedMb, totalMb] = [loaded, total].map((bytes) => Math.round(bytes / BYTES_PER_MEGABYTE));
      line.show({ stage: 'installing', done: loadedMb!, total: totalMb!, message: `MB of ${name}` });
    });
  } finally {
    line.clear();
  }
}
