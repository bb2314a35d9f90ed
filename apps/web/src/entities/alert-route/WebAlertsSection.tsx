import { alertRoutesPath } from '@kustos/contract/alert-routes'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Section } from '../../ui/Section.tsx'
import { AlertPreviewList } from './AlertPreview.tsx'

/** Who would be alerted now if a web went down. */
export function WebAlertsSection({ id }: { readonly id: number }) {
  const { t } = useTranslation()
  return (
    <Section
      title={t('alertRoutes.preview.title')}
      beside={
        <LinkButton
          to={`${alertRoutesPath}?${new URLSearchParams({ web: String(id) })}`}
          label={t('alertRoutes.section')}
          variant="default"
        />
      }
    >
      <AlertPreviewList web={id} severity="down" />
    </Section>
  )
}
