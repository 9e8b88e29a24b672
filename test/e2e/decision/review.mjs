// A review opens: the change, its reason, how strongly it is proven, the points and the actions are in view at once.

export const steps = (world) => {
  const { command, lens, shot } = world;
  return {
    'a hunk far below the top of its file': async () => {
      await world.openFile('src/deep.ts');
      await command('Selfware: Improve');
      await lens('Apply').waitFor();
      await shot('opened');
    },
  };
};
