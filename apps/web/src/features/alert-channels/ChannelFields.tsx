import { channelFields, channelKinds } from '@kustos/contract/alert-channels'
import { reportingChannels } from '@kustos/contract/webs'
import { Button, PasswordInput, Select, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type FormFields, plainText } from '../../ui/contract-form/fields.tsx'
import { type ChannelForm, generateKey } from './channel-form.ts'

interface Props {
  readonly fields: FormFields<ChannelForm>
  readonly isNew: boolean
}

/** The fields of a channel: those of its kind, with where to find what they ask for. */
export function ChannelFields({ fields: { field, toggle, values }, isNew }: Props) {
  const { t } = useTranslation()
  const { kind } = values
  const kinds = t('gridLabels.alertChannels.options.kind', { returnObjects: true })
  const { labels, hints, help, keys, webs } = t('alertChannels.fields', { returnObjects: true })
  const needed: readonly string[] = channelFields[kind]
  const kept = isNew ? '' : hints.kept
  const shownKey = (key: string) => (key === '' ? '' : '••••')
  const secret = {
    autoComplete: 'off',
    visibilityToggleButtonProps: { 'aria-label': t('login.showPassword') },
  } as const
  const key = field('key', {
    label: kind === 'telegram' || kind === 'pagerduty' || kind === 'webhook' ? keys[kind] : keys.webhook,
    hint: kind === 'webhook' ? `${hints.key} ${kept}`.trim() : kept,
    show: shownKey,
  })
  return (
    <>
      <Select
        {...field('kind', { label: labels.kind, hint: help[kind], show: (one) => kinds[one] })}
        data={channelKinds.map((value) => ({ value, label: kinds[value] }))}
        allowDeselect={false}
        disabled={!isNew}
      />
      <TextInput {...field('name', { label: labels.name, hint: hints.name })} {...plainText} data-autofocus />
      {needed.includes('address') && (
        <TextInput {...field('address', { label: labels.address })} {...plainText} inputMode="email" />
      )}
      {needed.includes('chat') && (
        <TextInput {...field('chat', { label: labels.chat, hint: hints.chat })} {...plainText} />
      )}
      {needed.includes('url') && (
        <PasswordInput {...field('url', { label: labels.url, hint: kept, show: shownKey })} {...secret} />
      )}
      {needed.includes('key') && <PasswordInput {...key} {...secret} />}
      {kind === 'webhook' && (
        <Button variant="default" size="xs" w="fit-content" onClick={() => key.onChange(generateKey())}>
          {t('alertChannels.generateKey')}
        </Button>
      )}
      <Select
        {...field('default_for', {
          label: labels.default_for,
          hint: hints.default_for,
          show: (channel) => (channel === null ? '' : webs[channel]),
        })}
        data={reportingChannels.map((value) => ({ value, label: webs[value] }))}
        placeholder={hints.none}
        clearable
      />
      <Switch {...toggle('fallback', { label: labels.fallback, hint: hints.fallback })} />
    </>
  )
}
