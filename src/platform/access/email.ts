/** Email addresses as the identity provider writes them: compared in one spelling, and some without an @. */

/** Normalizes an address, so that an invitation finds its user; look-alike characters stay different (SPEC SEC-J25). */
export function normalizeEmail(email: string): string {
  return email.normalize('NFC').trim().toLowerCase();
}

/** Returns the part before the last @, which names a person; all of an address without one. */
export function readLocalPart(email: string): string {
  return email.replace(/@[^@]*$/, '');
}
