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
    how: 'No email is sent. Send them this link: they join when they sign in.',
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
  /** Refusals by their code; the message of any other stands for itself. */
  refusals: {
    paid_subscription_required: 'This needs a paid plan.',
  },
} as const;
