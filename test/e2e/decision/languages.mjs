// A repository in a language that few rules read: it says so, and says what it can have. The last part: it opens
// another folder.

import { makeRepository } from '../project.mjs';

export const gopher = {
  'go.mod': 'module example.org/gopher\n\ngo 1.24\n',
  'main.go': 'package main\n\nimport "fmt"\n\n// main greets.\nfunc main() {\n\tfmt.Println("Hello")\n}\n',
  'README.md': '# Gopher\n',
};

export const steps = (world) => {
  const { page, sidebar } = world;
  return {
    'a repository in Go is told what it can have': async () => {
      await page.goto(world.workbench.urlOf(makeRepository('gopher', gopher)), { waitUntil: 'domcontentloaded' });
      await page.locator('.monaco-workbench').waitFor();
      await page.locator('.activitybar .action-label[aria-label^="Selfware"]').first().click();
      const words = sidebar.getByText(/the code here is in Go\..*`?go vet`?.*Search/s).first();
      await words.waitFor();
      await words.scrollIntoViewIfNeeded();
      await world.atEachSize('go', async () => {
        await words.scrollIntoViewIfNeeded();
        await world.mustBeSeen({ 'what it can have': words });
      });
    },
  };
};
