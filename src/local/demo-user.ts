/** Who people are on a developer's machine: an address is a person. */

/** Whom `npm run demo` is, and whom the sign-in page offers to be. */
export const DEMO_USER = { sub: 'user_local_demo', email: 'demo@example.com' };

const SUBJECT_PREFIX = 'user_local:';

/** The same address is the same person each time; a subject says which address, so that nothing has to be remembered. */
export const subjectOf = (email: string): string =>
  email === DEMO_USER.email
    ? DEMO_USER.sub
    : `${SUBJECT_PREFIX}${Buffer.from(email.toLowerCase()).toString('base64url')}`;

/** The address of a subject that `subjectOf` made. */
export const emailOf = (subject: string): string =>
  subject === DEMO_USER.sub
    ? DEMO_USER.email
    : Buffer.from(subject.slice(SUBJECT_PREFIX.length), 'base64url').toString();
