/** E-mail addresses as they are compared. */

/** One spelling per address, so that an invitation finds its user; look-alike characters stay different (SPEC SEC-J25). */
export function normalizeEmail(email: string): string {
  return email.normalize('NFC').trim().toLowerCase();
}
