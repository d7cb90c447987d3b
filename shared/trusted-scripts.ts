// The one policy of Trusted Types in the pages and workers (w3.org/TR/trusted-types): their content policy refuses every text that would
// become code or markup, and only this one lets a text name a script.

/** Names of policies that the content policy allows: this one, by which the browser judges texts that no other policy has. */
export const POLICIES = 'default';

interface Realm {
  readonly location: { readonly origin: string };
  /** Undefined in a browser that has no such types, and in Node. */
  readonly trustedTypes?: {
    createPolicy(name: string, rules: { readonly createScriptURL: (address: string) => string | null }): unknown;
  };
}

/** Call once in each page and worker that starts workers, before the first: their scripts are files of the app. */
export function trustOwnScripts(realm: unknown = globalThis): void {
  const { location, trustedTypes } = realm as Realm;
  trustedTypes?.createPolicy(POLICIES, {
    createScriptURL: (address) => (address.startsWith(`${location.origin}/`) ? address : null),
  });
}
