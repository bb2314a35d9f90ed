import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../ui/LinkButton.tsx'

export function CreateButton() {
  const { t } = useTranslation()
  const { access } = externalDomainsRoutes.createExternalDomain
  return (
    <LinkButton
      to="/limitis/externaldomains/add"
      label={t('limitis.create')}
      icon={IconPlus}
      access={access}
    />
  )
}
