use futures_util::StreamExt;
use made::{Client, types};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let key = std::env::var("KEY")?;
    let org = std::env::var("ORG")?;
    let mut headers = reqwest::header::HeaderMap::new();
    headers.insert("Authorization", format!("Bearer {key}").parse()?);
    let http = reqwest::Client::builder().default_headers(headers).build()?;
    let client = Client::new_with_client(&std::env::var("API")?, http);
    let body: types::CreateRun = serde_json::from_str(&std::env::args().nth(1).ok_or("no body")?)?;
    let run = client.start_run(None, None, &org, &body).await?.into_inner();
    let mut stream = client.listen_to_run(&run.run_id, None, None, &org).await?.into_inner();
    let mut text = Vec::new();
    while let Some(chunk) = stream.next().await {
        text.extend_from_slice(&chunk?);
    }
    for line in String::from_utf8(text)?.lines() {
        let Some(data) = line.strip_prefix("data: ") else { continue };
        match serde_json::from_str::<types::RunEvent>(data)? {
            types::RunEvent::NodeCompletedFrame(event) => println!("{}", event.node_id),
            types::RunEvent::RunCompletedFrame(event) => println!("{}", event.status),
            _ => {}
        }
    }
    Ok(())
}
