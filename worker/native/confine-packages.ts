// Restricts the engine processes to packages from one folder of the app.
import { realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Node looks for a package in the `node_modules` of every folder above, up to the root of the disk, and in some of the home folder. Others
 * may write to one of these (`/tmp`, `C:\\`), so for a package that is missing here, their code would run with the user's rights. A package
 * found outside `folder` counts as not found, for `import` and `require` alike, and for what packages load themselves. Hooks belong to a
 * thread: each thread calls this before it loads anything.
 */
export function confinePackages(folder: string): void {
  const inside = realpathSync(folder) + sep;
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (!found.url.startsWith('file:') || fileURLToPath(found.url).startsWith(inside)) return found;
      // The codes by which packages tell a missing one from a broken one.
      const code = context.conditions.includes('require') ? 'MODULE_NOT_FOUND' : 'ERR_MODULE_NOT_FOUND';
      throw Object.assign(new Error(`Cannot find “${specifier}” in ${folder}`), { code });
    },
  });
}
