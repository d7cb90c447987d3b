// Hands a link to the person's browser or mail program, and only such links.
import { shell } from 'electron';

const ALLOWED_PROTOCOLS = new Set(['https:', 'mailto:']);

/** False when the address is not one we open, or nobody opens it. */
export async function openExternal(address: string): Promise<boolean> {
  if (!isAllowedLink(address)) return false;
  return shell.openExternal(new URL(address).href).then(
    () => true,
    () => false, // there is no program for it
  );
}

export function isAllowedLink(address: string): boolean {
  try {
    return ALLOWED_PROTOCOLS.has(new URL(address).protocol);
  } catch {
    return false;
  }
}
