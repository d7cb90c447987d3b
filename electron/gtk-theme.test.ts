import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chooseGtkTheme } from './gtk-theme.ts';

/** The variable while GTK starts, and afterwards. */
function themes(settings: string | null, before?: string): readonly (string | undefined)[] {
  const profile = mkdtempSync(join(tmpdir(), 'gtk-theme-'));
  onTestFinished(() => rmSync(profile, { recursive: true }));
  if (settings !== null) writeFileSync(join(profile, 'settings.json'), settings);
  const env: NodeJS.ProcessEnv = { ...(before !== undefined && { GTK_THEME: before }) };
  const end = chooseGtkTheme(profile, env);
  const during = env['GTK_THEME'];
  end();
  return [during, env['GTK_THEME']];
}

test.runIf(process.platform === 'linux')('GTK starts dark only where the user has chosen the dark theme here', () => {
  expect(themes('{ "theme": "dark" }')).toEqual(['Adwaita:dark', undefined]);
  expect(themes('{ "theme": "light" }')).toEqual([undefined, undefined]);
  expect(themes('{ "theme": "system" }')).toEqual([undefined, undefined]);
  expect(themes(null)).toEqual([undefined, undefined]);
  expect(themes('{ "theme": ')).toEqual([undefined, undefined]);
  // The user's own theme stays.
  expect(themes('{ "theme": "dark" }', 'Arc')).toEqual(['Arc', 'Arc']);
});
