// The virtual screens that the runner has opened, one for each worker: a screen has one focus and one clipboard.

const SCREENS = (process.env['SIDELITE_SCREENS'] ?? '').split(' ').filter(Boolean);

/**
 * A virtual screen has no graphics card: Chromium starts two processes for one, which fail, before it paints in software. It is spared the
 * attempts; what it ends with is the same.
 */
export const SCREEN_SWITCHES: readonly string[] = SCREENS.length > 0 ? ['--disable-gpu'] : [];

/** Sets the screen of the app and of whatever else this worker starts. Without screens of the runner it is the existing one. */
export function takeScreen(): void {
  const screen = SCREENS[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)];
  if (screen !== undefined) process.env['DISPLAY'] = screen;
}
