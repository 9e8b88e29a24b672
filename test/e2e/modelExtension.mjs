// An extension that brings a language model: it answers what a file says, and writes down what it was asked.

import { packPeer } from './peerExtension.mjs';

/** The folder with `reply.json`, which it reads for each question, and `told.jsonl`, which it writes. */
export const MODELS_FOLDER = 'SELFWARE_TEST_MODELS';

const main = `const vscode = require('vscode');
const { appendFileSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = process.env.${MODELS_FOLDER};
const tell = (what) => appendFileSync(join(folder, 'told.jsonl'), JSON.stringify(what) + '\\n');
const textOf = ({ content }) => content.map(({ value }) => value ?? '').join('');

exports.activate = () =>
  vscode.lm.registerLanguageModelChatProvider('acme', {
    provideLanguageModelChatInformation: async () => [
      { id: 'steady', name: 'Steady', family: 'steady', version: '1', maxInputTokens: 64000, maxOutputTokens: 8000, capabilities: {} },
    ],
    async provideLanguageModelChatResponse(model, messages, options, progress, token) {
      tell({ asked: messages.map(textOf).join('\\n') });
      const { text, waits, fails } = JSON.parse(readFileSync(join(folder, 'reply.json'), 'utf8'));
      if (fails) throw new Error(fails);
      for (const piece of text.match(/[^]{1,40}/g) ?? []) progress.report(new vscode.LanguageModelTextPart(piece));
      if (!waits) return;
      await new Promise((resolve) => token.onCancellationRequested(resolve));
      tell({ cancelled: true });
    },
    provideTokenCount: async (model, said) => Math.ceil((typeof said === 'string' ? said : textOf(said)).length / 4),
  });
`;

/** Packs it and returns the path of the package. */
export function makeModelExtension() {
  return packPeer(
    'models',
    {
      displayName: 'Acme Models',
      contributes: { languageModelChatProviders: [{ vendor: 'acme', displayName: 'Acme' }] },
    },
    main,
  );
}
