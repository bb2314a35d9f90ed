import type { AlertChannel, NewAlertChannel } from '@kustos/contract/alert-channels'

/** Secrets are empty unless they are entered again. */
export interface ChannelForm {
  readonly name: string
  readonly kind: NewAlertChannel['kind']
  readonly address: string
  readonly chat: string
  readonly url: string
  readonly key: string
  readonly default_for: NewAlertChannel['default_for']
  readonly fallback: boolean
}

export const emptyForm: ChannelForm = {
  name: '',
  kind: 'mail',
  address: '',
  chat: '',
  url: '',
  key: '',
  default_for: null,
  fallback: false,
}

export const toForm = ({ name, kind, address, chat, default_for, fallback }: AlertChannel): ChannelForm => ({
  ...emptyForm,
  name,
  kind,
  address: address ?? '',
  chat: chat ?? '',
  default_for,
  fallback,
})

/** A key for signatures, as Standard Webhooks writes them. */
export const generateKey = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`
