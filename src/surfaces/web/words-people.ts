/** The sentences about the Composer, invitations, members and support: a part of `words.ts`. */
export const peopleWords = {
  chats: 'Assistant',
  composer: {
    name: 'Composer',
    close: 'Close the Composer',
    fromSentence: 'New with AI',
    message: 'Describe the workflow',
    writing: (characters: number) => `Writing the workflow… ${characters} characters`,
    again: (round: number, characters: number) =>
      `The last version had errors. Trying again (${round})… ${characters} characters`,
    checking: 'Checking and saving…',
  },
  invited: {
    title: 'Invitation',
    page: 'Join an organization',
    to: (organization: string, role: string) => `You are invited to “${organization}” as ${role}.`,
    accept: 'Accept',
    later: 'Not now',
    decline: 'Decline',
    declineSure: (organization: string) =>
      `Decline the invitation to “${organization}”? You will need a new one to join.`,
    how: 'No email is sent. Share this link with them. They join when they sign in.',
    copyLink: 'Copy invitation link',
    sent: 'Invited',
  },
  roles: { owner: 'Owner', admin: 'Admin' },
  thatIsYou: '(you)',
  removeMember: 'Remove',
  removeMemberSure: (email: string) =>
    `Remove ${email} from the organization? Their access ends now and their keys are revoked.`,
  leave: 'Leave',
  leaveSure: 'Leave the organization? Your access ends now and your keys are revoked.',
  organizationName: 'Organization name',
  support: {
    title: 'Support',
    subject: 'Subject',
    message: 'What happened, and what did you expect?',
    send: 'Send request',
    sent: (requestId: string) => `Request ${requestId} was sent.`,
  },
  /** Refusals by code, for errors without a sentence. */
  refusals: {
    paid_subscription_required: 'This needs a paid plan.',
    rate_limit_exceeded: 'Your organization has reached its limit of runs per minute.',
    quota_exceeded: 'Your organization has reached a limit of its plan.',
    credit_plan_exhausted: 'The plan’s credits are used up.',
    wallet_overage_disabled: 'The plan’s credits are used up, and wallet usage is off.',
    wallet_insufficient: 'The wallet balance is too low.',
    upgrade_payment_failed: 'The payment for the upgrade failed.',
  },
} as const;
