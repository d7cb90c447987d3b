// Hands a link to the person's browser or mail program, and only such links.
import { shell } from 'electron';

const ALLOWED_PROTOCOLS = new Set(['https:', 'mailto:']);

/** False when the address is not one we open. */
export async function openExternal(address: string): Promise<boolean> {
  if (!isAllowedLink(address)) return false;
  await shell.openExternal(new URL(address).href);
  return true;
}

export function isAllowedLink(address: string): boolean {
  try {
    return ALLOWED_PROTOCOLS.has(new URL(address).protocol);
  } catch {
    return false;
  }
}
