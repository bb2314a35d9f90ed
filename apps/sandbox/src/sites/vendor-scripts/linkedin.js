new Image().src = `https://px.ads.linkedin.com/collect/?pid=${window._linkedin_partner_id}&fmt=gif`
