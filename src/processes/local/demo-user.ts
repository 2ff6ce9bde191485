/** Users of the local identity provider: each email address is a user. */

/** The user of `npm run demo`, and the first choice of the sign-in page. */
export const DEMO_USER = { sub: 'user_local_demo', email: 'demo@example.com' };

const SUBJECT_PREFIX = 'user_local:';

/** Encodes the address in the subject, so that nothing has to be stored. */
export const toSubject = (email: string): string =>
  email === DEMO_USER.email
    ? DEMO_USER.sub
    : `${SUBJECT_PREFIX}${Buffer.from(email.toLowerCase()).toString('base64url')}`;

/** Decodes the address from a subject. */
export const toEmail = (subject: string): string =>
  subject === DEMO_USER.sub
    ? DEMO_USER.email
    : Buffer.from(subject.slice(SUBJECT_PREFIX.length), 'base64url').toString();
