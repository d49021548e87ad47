/** The mail server that takes SMTP mail. */
export interface MailRelay {
  readonly host: string;
  readonly port: number;
  /** `tls`: from the first byte. `starttls`: required before anything is sent. `none`: a relay on this machine. */
  readonly security: 'tls' | 'starttls' | 'none';
  readonly from: string;
  /** Names the entry of the channels' secret with `user` and `password`; without it the relay asks for neither. */
  readonly login?: string;
}
