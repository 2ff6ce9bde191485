/** The part of nodemailer that mail.ts uses. */
declare module 'nodemailer' {
  interface Transport {
    sendMail(mail: {
      readonly to: { readonly name: string; readonly address: string };
      readonly subject: string;
      readonly text: string;
      readonly messageId: string;
    }): Promise<unknown>;
    verify(): Promise<unknown>;
    close(): void;
  }
  export function createTransport(
    options: { readonly url: string } & Readonly<Record<string, unknown>>,
    defaults: { readonly from: string },
  ): Transport;
}
